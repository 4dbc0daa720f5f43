package dev.muster.admission;

import static dev.muster.admission.Plugins.CLAIMS;
import static dev.muster.admission.Plugins.CONFIG_MAPS;
import static dev.muster.admission.Plugins.PODS;
import static dev.muster.admission.Plugins.SERVICES;
import static dev.muster.admission.Plugins.json;
import static dev.muster.admission.Plugins.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.authorization.Requests;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.admission.AdmissionOperation;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.registry.admission.RelatedStatusUpdate;
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

  private List<RelatedStatusUpdate> validate(AdmissionRequest request) {
    return plugins.plugin("ResourceQuota").validate(request);
  }

  private List<RelatedStatusUpdate> create(JsonObject pod) {
    return validate(plugins.requests.create(PODS, pod));
  }

  private static String name(RelatedStatusUpdate relatedStatusUpdate) {
    return relatedStatusUpdate.old().object("metadata").string("name");
  }

  private static JsonObject used(List<RelatedStatusUpdate> companions) {
    assertThat(companions).hasSize(1);
    return companions.getFirst().object().object("status", "used");
  }

  @Test
  void countsWhatIsTakenInTheSameCommit() {
    quota("q", "{'pods':'2','requests.cpu':'1'}", "{'pods':'1','requests.cpu':'500m'}", "{}");
    var companions =
        create(pod("{'containers':[{'name':'c','resources':{'requests':{'cpu':'250m'}}}]}"));
    assertThat(used(companions)).isEqualTo(json("{'pods':'2','requests.cpu':'750m'}"));
    assertThat(companions.getFirst().resource().resource()).isEqualTo("resourcequotas");
    assertThat(companions.getFirst().old().object("metadata").string("resourceVersion"))
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

  /** Limits come into force with the status, in which the controller says what is taken already. */
  @Test
  void theLimitsOfTheStatusCount() {
    quota("q", "{}", "{}", "{'hard':{'pods':'0'}}");
    assertThat(create(pod("{}"))).isEmpty();
    quota("q", "{'pods':'1'}", "{'pods':'1'}", "{'hard':{'pods':'5'}}");
    assertThatThrownBy(() -> create(pod("{}"))).hasMessageContaining("exceeded quota: q");
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
    assertThat(create(pod("{}"))).extracting(ResourceQuotaTest::name).containsExactly("q1", "q2");
  }

  private static JsonObject deviceClaim(String requests) {
    return json(
        "{'metadata':{'name':'c','namespace':'a'},'spec':{'devices':{'requests':%s}}}"
            .formatted(requests));
  }

  @Test
  void countsTheDevicesOfAClass() {
    var type = Requests.type("resource.k8s.io/v1", "ResourceClaim", "resourceclaims");
    plugins.cluster.put(
        "/deviceclasses",
        json("{'metadata':{'name':'gpu'},'spec':{'extendedResourceName':'example.com/gpu'}}"));
    quota(
        "q",
        "{'count/resourceclaims.resource.k8s.io':'5','gpu.deviceclass.resource.k8s.io/devices':"
            + "'40','requests.example.com/gpu':'40',"
            + "'requests.deviceclass.resource.kubernetes.io/gpu':'40'}",
        "{'count/resourceclaims.resource.k8s.io':'0','gpu.deviceclass.resource.k8s.io/devices':"
            + "'0','requests.example.com/gpu':'0',"
            + "'requests.deviceclass.resource.kubernetes.io/gpu':'0'}",
        "{}");
    var claim =
        deviceClaim(
            "[{'exactly':{'deviceClassName':'gpu','allocationMode':'ExactCount','count':2}},"
                + "{'firstAvailable':[{'deviceClassName':'gpu','allocationMode':'All'},"
                + "{'deviceClassName':'gpu','allocationMode':'ExactCount','count':3}]}]");
    assertThat(used(validate(plugins.requests.create(type, claim))))
        .isEqualTo(
            json(
                "{'count/resourceclaims.resource.k8s.io':'1',"
                    + "'gpu.deviceclass.resource.k8s.io/devices':'34',"
                    + "'requests.example.com/gpu':'34',"
                    + "'requests.deviceclass.resource.kubernetes.io/gpu':'34'}"));
    var many =
        deviceClaim(
            "[{'exactly':{'deviceClassName':'gpu','allocationMode':'ExactCount','count':41}}]");
    assertThatThrownBy(() -> validate(plugins.requests.create(type, many)))
        .hasMessage(
            "resourceclaims.resource.k8s.io \"c\" is forbidden: exceeded quota: q, requested:"
                + " gpu.deviceclass.resource.k8s.io/devices=41,"
                + "requests.deviceclass.resource.kubernetes.io/gpu=41,requests.example.com/gpu=41,"
                + " used: gpu.deviceclass.resource.k8s.io/devices=0,"
                + "requests.deviceclass.resource.kubernetes.io/gpu=0,requests.example.com/gpu=0,"
                + " limited: gpu.deviceclass.resource.k8s.io/devices=40,"
                + "requests.deviceclass.resource.kubernetes.io/gpu=40,"
                + "requests.example.com/gpu=40");
  }

  @Test
  void aPodThatIsResizedIsChargedForWhatItStillHolds() {
    quota("q", "{'requests.cpu':'10'}", "{'requests.cpu':'4'}", "{}");
    var status =
        ",'status':{'containerStatuses':[{'name':'c','resources':{'requests':{'cpu':'4'}},"
            + "'allocatedResources':{'cpu':'4'}}]}}";
    var old = resizable("4", status);
    assertThat(resize(resizable("2", status), old)).isEmpty();
    assertThat(used(resize(resizable("6", status), old))).isEqualTo(json("{'requests.cpu':'6'}"));
  }

  private static JsonObject resizable(String cpu, String status) {
    return json(
        "{'metadata':{'name':'p','namespace':'a'},'spec':{'containers':[{'name':'c',"
            + "'resources':{'requests':{'cpu':'"
            + cpu
            + "'}}}]}"
            + status);
  }

  private List<RelatedStatusUpdate> resize(JsonObject pod, JsonObject old) {
    return validate(plugins.requests.request(AdmissionOperation.UPDATE, PODS, "resize", pod, old));
  }

  @Test
  void theStatusOfAClaimIsChargedButNeverRefused() {
    quota("q", "{'requests.storage':'1Gi'}", "{'requests.storage':'1Gi'}", "{}");
    var claim = "{'metadata':{'name':'c'},'spec':{'resources':{'requests':{'storage':'1Gi'}}}%s}";
    var grown = ",'status':{'allocatedResources':{'storage':'3Gi'}}";
    var request =
        plugins.requests.request(
            AdmissionOperation.UPDATE,
            CLAIMS,
            "status",
            json(claim.formatted(grown)).withAt(Json.of("a"), "metadata", "namespace"),
            json(claim.formatted("")));
    assertThat(used(validate(request))).isEqualTo(json("{'requests.storage':'3Gi'}"));
    quota("q", "{'requests.storage':'1Gi'}", "{}", "{}");
    assertThatThrownBy(() -> validate(request)).hasMessageContaining("status unknown for quota: q");
  }
}
