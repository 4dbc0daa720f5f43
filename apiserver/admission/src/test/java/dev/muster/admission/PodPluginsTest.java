package dev.muster.admission;

import static dev.muster.admission.Plugins.PODS;
import static dev.muster.admission.Plugins.json;
import static dev.muster.admission.Plugins.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.authorization.Requests;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.admission.AdmissionOperation;
import dev.muster.registry.commit.RetryWhenChanged;
import org.junit.jupiter.api.Test;

class PodPluginsTest {
  private final Plugins plugins = new Plugins();

  private JsonObject admit(String plugin, JsonObject pod) {
    return plugins.plugin(plugin).admit(plugins.requests.create(PODS, pod));
  }

  private void assertRefused(String plugin, JsonObject pod, String why) {
    assertThatThrownBy(
            () -> {
              var request = plugins.requests.create(PODS, pod);
              var admitted = plugins.plugin(plugin).admit(request);
              plugins.plugin(plugin).validate(request.withObject(admitted));
            })
        .hasMessage("pods \"p\" is forbidden: " + why);
  }

  @Test
  void podsStayFiveMinutesOnNodesThatFail() {
    var spec = admit("DefaultTolerationSeconds", pod("{}")).object("spec");
    assertThat(spec)
        .isEqualTo(
            json(
                "{'tolerations':[{'key':'node.kubernetes.io/not-ready','operator':'Exists',"
                    + "'effect':'NoExecute','tolerationSeconds':300},"
                    + "{'key':'node.kubernetes.io/unreachable','operator':'Exists',"
                    + "'effect':'NoExecute','tolerationSeconds':300}]}"));
    var own = pod("{'tolerations':[{'operator':'Exists'}]}");
    assertThat(admit("DefaultTolerationSeconds", own)).isSameAs(own);
  }

  @Test
  void removedTolerationsComeBackOnUpdate() {
    var old = pod("{}");
    var request = plugins.requests.update(PODS, old, old);
    assertThat(
            plugins
                .plugin("DefaultTolerationSeconds")
                .admit(request)
                .object("spec")
                .array("tolerations")
                .size())
        .isEqualTo(2);
  }

  @Test
  void priorityComesFromTheClass() {
    plugins.cluster.put("/priorityclasses", json("{'metadata':{'name':'high'},'value':1000}"));
    assertThat(admit("Priority", pod("{'priorityClassName':'high'}")).object("spec"))
        .isEqualTo(json("{'priorityClassName':'high','priority':1000}"));
    assertThat(admit("Priority", pod("{}")).object("spec"))
        .isEqualTo(json("{'priority':0,'preemptionPolicy':'PreemptLowerPriority'}"));
    assertRefused(
        "Priority",
        pod("{'priorityClassName':'none'}"),
        "no PriorityClass with name none was found");
    assertRefused(
        "Priority",
        pod("{'priorityClassName':'high','priority':5}"),
        "the integer value of priority (5) must not be provided in pod spec; priority admission"
            + " controller computed 1000 from the given PriorityClass name");
  }

  @Test
  void theDefaultPriorityClassIsUsedAndStaysAlone() {
    plugins.cluster.put(
        "/priorityclasses",
        json(
            "{'metadata':{'name':'usual'},'value':7,'globalDefault':true,"
                + "'preemptionPolicy':'Never'}"));
    assertThat(admit("Priority", pod("{}")).object("spec"))
        .isEqualTo(json("{'priorityClassName':'usual','priority':7,'preemptionPolicy':'Never'}"));
    var classes = Requests.type("scheduling.k8s.io/v1", "PriorityClass", "priorityclasses");
    var second = json("{'metadata':{'name':'second'},'value':9,'globalDefault':true}");
    assertThatThrownBy(
            () -> plugins.plugin("Priority").validate(plugins.requests.create(classes, second)))
        .hasMessage(
            "priorityclasses.scheduling.k8s.io \"second\" is forbidden: PriorityClass usual is"
                + " already marked as default. Only one default can exist");
  }

  @Test
  void priorityIsKeptOnUpdate() {
    var old = pod("{'priority':5,'preemptionPolicy':'Never'}");
    var request = plugins.requests.update(PODS, pod("{}"), old);
    assertThat(plugins.plugin("Priority").admit(request)).isEqualTo(old);
  }

  @Test
  void runtimeClassesAddOverheadAndPlacement() {
    plugins.cluster.put(
        "/runtimeclasses",
        json(
            "{'metadata':{'name':'vm'},'overhead':{'podFixed':{'cpu':'100m'}},'scheduling':"
                + "{'nodeSelector':{'kind':'vm'},'tolerations':[{'key':'vm',"
                + "'operator':'Exists'}]}}"));
    assertThat(admit("RuntimeClass", pod("{'runtimeClassName':'vm'}")).object("spec"))
        .isEqualTo(
            json(
                "{'runtimeClassName':'vm','overhead':{'cpu':'100m'},'nodeSelector':{'kind':'vm'},"
                    + "'tolerations':[{'key':'vm','operator':'Exists'}]}"));
    assertRefused(
        "RuntimeClass",
        pod("{'runtimeClassName':'none'}"),
        "pod rejected: RuntimeClass \"none\" not found");
    assertRefused(
        "RuntimeClass",
        pod("{'overhead':{}}"),
        "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead");
    assertRefused(
        "RuntimeClass",
        pod("{'runtimeClassName':'vm','overhead':{'cpu':'1'}}"),
        "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead");
    assertRefused(
        "RuntimeClass",
        pod("{'overhead':{'cpu':'1'}}"),
        "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead");
    assertRefused(
        "RuntimeClass",
        pod("{'runtimeClassName':'vm','nodeSelector':{'kind':'metal'}}"),
        "conflict: runtimeClass.scheduling.nodeSelector[kind] = vm; pod.spec.nodeSelector[kind] ="
            + " metal");
  }

  @Test
  void podsGetTheTokenOfTheirAccount() {
    plugins.cluster.put(
        "/serviceaccounts",
        json(
            "{'metadata':{'name':'default','namespace':'a'},"
                + "'imagePullSecrets':[{'name':'pull'}]}"));
    var spec =
        admit(
                "ServiceAccount",
                pod("{'containers':[{'name':'c'}],'initContainers':[{'name':'i'}]}"))
            .object("spec");
    assertThat(spec.string("serviceAccountName")).isEqualTo("default");
    assertThat(spec.array("imagePullSecrets").object(0).string("name")).isEqualTo("pull");
    var volume = spec.array("volumes").object(0);
    assertThat(volume.string("name")).matches("kube-api-access-[a-z0-9]{5}");
    assertThat(volume.object("projected"))
        .isEqualTo(
            json(
                "{'sources':[{'serviceAccountToken':{'expirationSeconds':3607,'path':'token'}},"
                    + "{'configMap':{'name':'kube-root-ca.crt','items':[{'key':'ca.crt',"
                    + "'path':'ca.crt'}]}},{'downwardAPI':{'items':[{'path':'namespace',"
                    + "'fieldRef':{'apiVersion':'v1','fieldPath':'metadata.namespace'}}]}}],"
                    + "'defaultMode':420}"));
    for (var field : new String[] {"containers", "initContainers"}) {
      assertThat(spec.array(field).object(0).array("volumeMounts").object(0))
          .isEqualTo(
              JsonObject.of(
                  "name",
                  volume.string("name"),
                  "readOnly",
                  true,
                  "mountPath",
                  "/var/run/secrets/kubernetes.io/serviceaccount"));
    }
  }

  @Test
  void aPodMayDoWithoutAToken() {
    plugins.cluster.put("/serviceaccounts", json("{'metadata':{'name':'x','namespace':'a'}}"));
    var plain =
        pod(
            "{'serviceAccountName':'x','automountServiceAccountToken':false,"
                + "'containers':[{'name':'c'}]}");
    assertThat(admit("ServiceAccount", plain)).isEqualTo(plain);
    assertRefused(
        "ServiceAccount",
        pod("{'serviceAccountName':'none'}"),
        "error looking up service account a/none: serviceaccount \"none\" not found");
  }

  @Test
  void aNamespacesOwnAccountIsWaitedFor() {
    assertThatThrownBy(() -> admit("ServiceAccount", pod("{}")))
        .isInstanceOf(RetryWhenChanged.class)
        .hasMessageEndingWith("serviceaccount \"default\" not found");
  }

  @Test
  void anAccountMayLimitTheSecretsOfItsPods() {
    plugins.cluster.put(
        "/serviceaccounts",
        json(
            "{'metadata':{'name':'x','namespace':'a','annotations':"
                + "{'kubernetes.io/enforce-mountable-secrets':'true'}},"
                + "'secrets':[{'name':'mine'}]}"));
    assertRefused(
        "ServiceAccount",
        pod(
            "{'serviceAccountName':'x','containers':[{'name':'c','env':[{'name':'E','valueFrom':"
                + "{'secretKeyRef':{'name':'other','key':'k'}}}]}]}"),
        "container c with envVar E referencing secret.secretName=\"other\" is not allowed because"
            + " service account x does not reference that secret");
  }

  @Test
  void mirrorPodsUseNoAccountsOrSecrets() {
    var mirror =
        pod("{'serviceAccountName':'x'}")
            .withAt(Json.of("m"), "metadata", "annotations", "kubernetes.io/config.mirror");
    assertRefused("ServiceAccount", mirror, "a mirror pod may not reference service accounts");
    var secret =
        pod("{'volumes':[{'name':'v','secret':{'secretName':'s'}}]}")
            .withAt(Json.of("m"), "metadata", "annotations", "kubernetes.io/config.mirror");
    assertRefused("ServiceAccount", secret, "a mirror pod may not reference secrets");
  }

  @Test
  void nodesStartNotReady() {
    var nodes = Requests.type("v1", "Node", "nodes");
    var node = json("{'metadata':{'name':'n'}}");
    var plugin = plugins.plugin("TaintNodesByCondition");
    var tainted = plugin.admit(plugins.requests.create(nodes, node));
    assertThat(tainted.object("spec"))
        .isEqualTo(
            json("{'taints':[{'key':'node.kubernetes.io/not-ready','effect':'NoSchedule'}]}"));
    assertThat(plugin.admit(plugins.requests.create(nodes, tainted))).isSameAs(tainted);
  }

  @Test
  void boundPodsCarryTheZoneOfTheirNode() {
    plugins.cluster.put(
        "/minions",
        json("{'metadata':{'name':'n','labels':{'topology.kubernetes.io/zone':'z','other':'o'}}}"));
    var binding =
        json("{'metadata':{'name':'p','namespace':'a'},'target':{'kind':'Node','name':'n'}}");
    var request =
        plugins.requests.request(AdmissionOperation.CREATE, PODS, "binding", binding, null);
    assertThat(plugins.plugin("PodTopologyLabels").admit(request).object("metadata", "labels"))
        .isEqualTo(json("{'topology.kubernetes.io/zone':'z'}"));
  }
}
