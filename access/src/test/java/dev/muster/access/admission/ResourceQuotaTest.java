package dev.muster.access.admission;

import static dev.muster.access.admission.Plugins.CLAIMS;
import static dev.muster.access.admission.Plugins.CONFIG_MAPS;
import static dev.muster.access.admission.Plugins.PODS;
import static dev.muster.access.admission.Plugins.SERVICES;
import static dev.muster.access.admission.Plugins.json;
import static dev.muster.access.admission.Plugins.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.JsonObject;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.registry.admission.Companion;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResourceQuotaTest {
  private final Plugins plugins = new Plugins();

  private void quota(String name, String hard, String used, String spec) {
    plugins.cluster.put(
        "/resourcequotas",
        json(
            "{'metadata':{'name':'%s','namespace':'a'},'spec':%s,'status':{'hard':%s,'used':%s}}"
                .formatted(name, spec, hard, used)));
  }

  private List<Companion> validate(AdmissionRequest request) {
    return plugins.plugin("ResourceQuota").validate(request);
  }

  private List<Companion> create(JsonObject pod) {
    return validate(plugins.requests.create(PODS, pod));
  }

  private static JsonObject used(List<Companion> companions) {
    assertThat(companions).hasSize(1);
    return companions.getFirst().object().object("status", "used");
  }

  @Test
  void countsWhatIsTakenInTheSameCommit() {
    quota("q", "{'pods':'2','requests.cpu':'1'}", "{'pods':'1','requests.cpu':'500m'}", "{}");
    var companions =
        create(pod("{'containers':[{'name':'c','resources':{'requests':{'cpu':'250m'}}}]}"));
    assertThat(used(companions)).isEqualTo(json("{'pods':'2','requests.cpu':'750m'}"));
    assertThat(companions.getFirst().collection()).isEqualTo("/resourcequotas");
    assertThat(companions.getFirst().object().object("metadata").string("resourceVersion"))
        .isEqualTo("1");
  }

  @Test
  void refusesWhatIsTooMuch() {
    quota("q", "{'pods':'1','cpu':'1'}", "{'pods':'1','cpu':'900m'}", "{}");
    assertThatThrownBy(
            () ->
                create(
                    pod("{'containers':[{'name':'c','resources':{'requests':{'cpu':'200m'}}}]}")))
        .hasMessage(
            "pods \"p\" is forbidden: exceeded quota: q, requested: cpu=200m,pods=1, used:"
                + " cpu=900m,pods=1, limited: cpu=1,pods=1");
  }

  @Test
  void wantsComputeToBeSaid() {
    quota("q", "{'limits.cpu':'1','memory':'1Gi'}", "{'limits.cpu':'0','memory':'0'}", "{}");
    assertThatThrownBy(() -> create(pod("{'containers':[{'name':'c'},{'name':'d'}]}")))
        .hasMessage(
            "pods \"p\" is forbidden: failed quota: q: must specify limits.cpu for: c,d; memory"
                + " for: c,d");
  }

  @Test
  void refusesWhileNobodyHasCounted() {
    quota("q", "{'pods':'1','count/pods':'3'}", "{}", "{}");
    assertThatThrownBy(() -> create(pod("{}")))
        .hasMessage(
            "pods \"p\" is forbidden: status unknown for quota: q, resources: count/pods,pods");
  }

  @Test
  void scopesChooseThePods() {
    quota("q", "{'pods':'0'}", "{'pods':'0'}", "{'scopes':['BestEffort']}");
    assertThatThrownBy(() -> create(pod("{'containers':[{'name':'c'}]}")))
        .hasMessageContaining("exceeded quota");
    assertThat(create(pod("{'containers':[{'name':'c','resources':{'requests':{'cpu':'1m'}}}]}")))
        .isEmpty();
  }

  @Test
  void prioritiesAreAScope() {
    quota(
        "q",
        "{'pods':'0'}",
        "{'pods':'0'}",
        "{'scopeSelector':{'matchExpressions':[{'scopeName':'PriorityClass','operator':'In',"
            + "'values':['high']}]}}");
    assertThat(create(pod("{'priorityClassName':'low'}"))).isEmpty();
    assertThat(create(pod("{}"))).isEmpty();
    assertThatThrownBy(() -> create(pod("{'priorityClassName':'high'}")))
        .hasMessageContaining("exceeded quota");
  }

  @Test
  void countsObjectsOfAnyKind() {
    quota(
        "q",
        "{'configmaps':'2','count/configmaps':'2'}",
        "{'configmaps':'1','count/configmaps':'1'}",
        "{}");
    var map = json("{'metadata':{'name':'m','namespace':'a'}}");
    assertThat(used(validate(plugins.requests.create(CONFIG_MAPS, map))))
        .isEqualTo(json("{'configmaps':'2','count/configmaps':'2'}"));
    assertThat(validate(plugins.requests.update(CONFIG_MAPS, map, map))).isEmpty();
    assertThat(validate(plugins.requests.delete(CONFIG_MAPS, map))).isEmpty();
  }

  @Test
  void chargesOnlyTheDifferenceOfAnUpdate() {
    quota("q", "{'services.nodeports':'3'}", "{'services.nodeports':'1'}", "{}");
    var one =
        json(
            "{'metadata':{'name':'s','namespace':'a'},'spec':{'type':'NodePort',"
                + "'ports':[{'port':1}]}}");
    var three =
        json(
            "{'metadata':{'name':'s','namespace':'a'},'spec':{'type':'NodePort',"
                + "'ports':[{'port':1},{'port':2},{'port':3}]}}");
    assertThat(used(validate(plugins.requests.update(SERVICES, three, one))))
        .isEqualTo(json("{'services.nodeports':'3'}"));
    assertThat(validate(plugins.requests.update(SERVICES, one, three))).isEmpty();
  }

  @Test
  void countsStorageByClass() {
    quota(
        "q",
        "{'fast.storageclass.storage.k8s.io/requests.storage':'5Gi','requests.storage':'100Gi'}",
        "{'fast.storageclass.storage.k8s.io/requests.storage':'0','requests.storage':'10Gi'}",
        "{}");
    var claim =
        json(
            "{'metadata':{'name':'c','namespace':'a'},'spec':{'storageClassName':'fast',"
                + "'resources':{'requests':{'storage':'4Gi'}}}}");
    assertThat(used(validate(plugins.requests.create(CLAIMS, claim))))
        .isEqualTo(
            json(
                "{'fast.storageclass.storage.k8s.io/requests.storage':'4Gi',"
                    + "'requests.storage':'14Gi'}"));
  }

  @Test
  void severalQuotasAreChargedTogether() {
    quota("q1", "{'pods':'5'}", "{'pods':'0'}", "{}");
    quota("q2", "{'count/pods':'5'}", "{'count/pods':'0'}", "{}");
    assertThat(create(pod("{}"))).extracting(Companion::name).containsExactly("q1", "q2");
  }
}
