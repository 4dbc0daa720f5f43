package dev.muster.admission;

import static dev.muster.admission.Plugins.CLAIMS;
import static dev.muster.admission.Plugins.PODS;
import static dev.muster.admission.Plugins.json;
import static dev.muster.admission.Plugins.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.admission.config.AdmissionConfiguration;
import dev.muster.model.json.JsonObject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a file tells plugins for the whole cluster. */
class ConfiguredPluginsTest {
  private static final String SELECTORS =
      "{'podNodeSelectorPluginConfig':{'clusterDefaultNodeSelector':'env=prod','a':'env=prod,"
          + "disk=ssd'}}";
  private static final String CLAIM =
      "{'metadata':{'name':'c','namespace':'a'},'spec':{'storageClassName':'gold',"
          + "'resources':{'requests':{'storage':'1Gi'}}}}";

  private final Plugins plugins = new Plugins();

  @BeforeEach
  void makeNamespace() {
    namespace("{}");
  }

  private void namespace(String annotations) {
    plugins.cluster.put(
        "/namespaces", json("{'metadata':{'name':'a','annotations':%s}}".formatted(annotations)));
  }

  private void configure(String plugin, String configuration) {
    plugins.configuration = new AdmissionConfiguration(Map.of(plugin, json(configuration)));
  }

  private JsonObject admit(String plugin, String spec) {
    var made = plugins.plugin(plugin);
    var request = plugins.requests.create(PODS, pod(spec));
    var admitted = made.admit(request);
    made.validate(request.withObject(admitted));
    return admitted.object("spec");
  }

  @Test
  void podsRunOnTheNodesOfTheClusterWhereTheirNamespaceChoosesNone() {
    configure("PodNodeSelector", SELECTORS);
    assertThat(admit("PodNodeSelector", "{}").object("nodeSelector"))
        .isEqualTo(json("{'env':'prod'}"));
    namespace("{'scheduler.alpha.kubernetes.io/node-selector':'disk=ssd'}");
    assertThat(admit("PodNodeSelector", "{}").object("nodeSelector"))
        .isEqualTo(json("{'disk':'ssd'}"));
    namespace("{'scheduler.alpha.kubernetes.io/node-selector':''}");
    assertThat(admit("PodNodeSelector", "{}").has("nodeSelector")).isFalse();
  }

  @Test
  void podsChooseNodesOnlyByWhatTheirNamespaceMay() {
    configure("PodNodeSelector", SELECTORS);
    assertThatCode(() -> admit("PodNodeSelector", "{'nodeSelector':{'disk':'ssd'}}"))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> admit("PodNodeSelector", "{'nodeSelector':{'gpu':'yes'}}"))
        .hasMessage(
            "pods \"p\" is forbidden: pod node label selector labels conflict with its namespace"
                + " whitelist");
  }

  @Test
  void podsTolerateWhatTheClusterSaysWhereTheirNamespaceSaysNothing() {
    configure(
        "PodTolerationRestriction",
        "{'apiVersion':'podtolerationrestriction.admission.k8s.io/v1alpha1',"
            + "'kind':'Configuration','default':[{'key':'a','operator':'Exists'}],"
            + "'whitelist':[{'key':'a','operator':'Exists'}]}");
    assertThat(admit("PodTolerationRestriction", "{}").array("tolerations").object(0).string("key"))
        .isEqualTo("a");
    assertThatThrownBy(
            () ->
                admit(
                    "PodTolerationRestriction",
                    "{'tolerations':[{'key':'b','operator':'Exists'}]}"))
        .hasMessageEndingWith("conflict with its namespace whitelist");
    namespace(
        "{'scheduler.alpha.kubernetes.io/tolerationsWhitelist':'',"
            + "'scheduler.alpha.kubernetes.io/defaultTolerations':''}");
    assertThatCode(
            () ->
                admit(
                    "PodTolerationRestriction",
                    "{'tolerations':[{'key':'b','operator':'Exists'}]}"))
        .doesNotThrowAnyException();
  }

  @Test
  void whatIsLimitedNeedsAQuotaThatGivesIt() {
    configure(
        "ResourceQuota",
        "{'apiVersion':'apiserver.config.k8s.io/v1','kind':'ResourceQuotaConfiguration',"
            + "'limitedResources':[{'resource':'persistentvolumeclaims',"
            + "'matchContains':['.storageclass.storage.k8s.io/requests.storage']}]}");
    var quotas = plugins.plugin("ResourceQuota");
    var request = plugins.requests.create(CLAIMS, json(CLAIM));
    assertThatThrownBy(() -> quotas.validate(request))
        .hasMessage(
            "persistentvolumeclaims \"c\" is forbidden: insufficient quota to consume:"
                + " gold.storageclass.storage.k8s.io/requests.storage");
    var given = "{'gold.storageclass.storage.k8s.io/requests.storage':'%s'}";
    plugins.cluster.put(
        "/resourcequotas",
        json(
            "{'metadata':{'name':'q','namespace':'a'},'spec':{},'status':{'hard':%s,'used':%s}}"
                .formatted(given.formatted("2Gi"), given.formatted("0"))));
    assertThat(quotas.validate(request)).hasSize(1);
    var unchanged = plugins.requests.update(CLAIMS, json(CLAIM), json(CLAIM));
    assertThat(quotas.validate(unchanged)).as("takes no more than before").isEmpty();
  }

  @Test
  void aLimitedScopeNeedsAQuotaOfThatScope() {
    var scope = "{'scopeName':'PriorityClass','operator':'In','values':['high']}";
    configure(
        "ResourceQuota",
        "{'apiVersion':'resourcequota.admission.k8s.io/v1beta1','kind':'Configuration',"
            + "'limitedResources':[{'resource':'pods','matchScopes':["
            + scope
            + "]}]}");
    var quotas = plugins.plugin("ResourceQuota");
    var request = plugins.requests.create(PODS, pod("{'priorityClassName':'high'}"));
    assertThatThrownBy(() -> quotas.validate(request))
        .hasMessage(
            "pods \"p\" is forbidden: insufficient quota to match these scopes: [{PriorityClass In"
                + " [high]}]");
    assertThat(quotas.validate(plugins.requests.create(PODS, pod("{'priorityClassName':'low'}"))))
        .isEmpty();
    plugins.cluster.put(
        "/resourcequotas",
        json(
            ("{'metadata':{'name':'q','namespace':'a'},'spec':{'scopeSelector':"
                    + "{'matchExpressions':[%s]}},'status':{'hard':{'pods':'1'},"
                    + "'used':{'pods':'0'}}}")
                .formatted(scope)));
    assertThat(quotas.validate(request)).hasSize(1);
  }

  @Test
  void whatCannotBeUsedIsRefusedAtTheStart() {
    var cases =
        List.of(
            List.of("PodNodeSelector", "{'podNodeSelectorPluginConfig':{'a':'x'}}", "[x]"),
            List.of("PodNodeSelector", "{'selectors':{}}", "unknown field \"selectors\""),
            List.of("PodTolerationRestriction", "{'default':[]}", "'Kind' is missing"),
            List.of(
                "PodTolerationRestriction",
                "{'apiVersion':'podtolerationrestriction.admission.k8s.io/v1alpha1',"
                    + "'kind':'Configuration','default':[{'operator':'Equal'}]}",
                "podtolerationrestriction.default[0].operator"),
            List.of("ResourceQuota", "{'kind':'Configuration'}", "'apiVersion' is missing"),
            List.of(
                "ResourceQuota",
                "{'apiVersion':'apiserver.config.k8s.io/v1','kind':'ResourceQuotaConfiguration',"
                    + "'limitedResources':[{'apiGroup':''}]}",
                "limitedResources[0].resource: Required value"));
    for (var each : cases) {
      configure(each.get(0), each.get(1));
      assertThatThrownBy(() -> plugins.plugin(each.get(0)))
          .hasMessageStartingWith("--admission-control-config-file: " + each.get(0))
          .hasMessageContaining(each.get(2));
    }
  }
}
