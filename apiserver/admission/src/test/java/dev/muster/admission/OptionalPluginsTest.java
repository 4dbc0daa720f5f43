package dev.muster.admission;

import static dev.muster.admission.Plugins.CONFIG_MAPS;
import static dev.muster.admission.Plugins.PODS;
import static dev.muster.admission.Plugins.json;
import static dev.muster.admission.Plugins.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.admission.permissions.Certificates;
import dev.muster.admission.permissions.OwnerReferencesPermission;
import dev.muster.authorization.Authorizer;
import dev.muster.authorization.Decision;
import dev.muster.authorization.Requests;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.commit.RetryWhenChanged;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Plugins that are off unless somebody asks for them. */
class OptionalPluginsTest {
  private final Plugins plugins = new Plugins();

  private void namespace(String annotation, String value) {
    plugins.cluster.put(
        "/namespaces",
        json("{'metadata':{'name':'a'}}")
            .withAt(Json.of(value.replace('\'', '"')), "metadata", "annotations", annotation));
  }

  private JsonObject admit(String plugin, JsonObject pod) {
    return plugins.plugin(plugin).admit(plugins.requests.create(PODS, pod)).object("spec");
  }

  @Test
  void nothingIsWrittenIntoANamespaceThatIsNotThere() {
    var exists = plugins.plugin("NamespaceExists");
    var request = plugins.requests.create(PODS, pod("{}"));
    assertThatThrownBy(() -> exists.validate(request)).hasMessage("namespaces \"a\" not found");
    plugins.cluster.put(
        "/namespaces", json("{'metadata':{'name':'a'},'status':{'phase':'Terminating'}}"));
    assertThat(exists.validate(request)).isEmpty();
  }

  @Test
  void thePageSaysOfEveryPluginWhetherItIsOn() throws Exception {
    var page = Files.readString(Path.of("..", "..", "docs", "tasks", "admission.md"));
    var rows = page.lines().filter(line -> line.startsWith("| `")).toList();
    for (var plugin : AdmissionPlugin.values()) {
      assertThat(rows)
          .filteredOn(row -> row.split("\\|")[1].contains("`" + plugin.pluginName() + "`"))
          .as(plugin.pluginName())
          .singleElement()
          .asString()
          .contains(plugin.isDefault() ? "| on |" : "| off |");
    }
  }

  @Test
  void aNamespaceIsMadeForWhatIsMadeInIt() {
    var provision = plugins.plugin("NamespaceAutoProvision");
    var request = plugins.requests.create(PODS, pod("{}"));
    assertThatThrownBy(() -> provision.admit(request))
        .isInstanceOf(RetryWhenChanged.class)
        .hasMessage("namespaces \"a\" not found");
    assertThat(plugins.provisioned).containsExactly("a");
    plugins.cluster.put("/namespaces", json("{'metadata':{'name':'a'}}"));
    assertThat(provision.admit(request)).isSameAs(request.object());
    assertThat(plugins.provisioned).hasSize(1);
  }

  @Test
  void podsKeepAwayFromOthersByNodeOnly() {
    var zone =
        pod(
            "{'affinity':{'podAntiAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':"
                + "[{'topologyKey':'kubernetes.io/hostname'},{'topologyKey':'zone'}]}}}");
    assertThatThrownBy(
            () ->
                plugins
                    .plugin("LimitPodHardAntiAffinityTopology")
                    .validate(plugins.requests.create(PODS, zone)))
        .hasMessage(
            "pods \"p\" is forbidden: affinity.PodAntiAffinity.RequiredDuringScheduling has"
                + " TopologyKey zone but only key kubernetes.io/hostname is allowed");
  }

  @Test
  void podsTolerateTheTaintsOfTheirDevices() {
    var spec =
        admit(
            "ExtendedResourceToleration",
            pod(
                "{'containers':[{'name':'c','resources':{'requests':{'cpu':'1',"
                    + "'example.com/gpu':'1'}}}],'initContainers':[{'name':'i','resources':"
                    + "{'requests':{'example.com/dsp':'1'}}}]}"));
    assertThat(spec.array("tolerations").objects())
        .containsExactly(
            json("{'key':'example.com/dsp','operator':'Exists','effect':'NoSchedule'}"),
            json("{'key':'example.com/gpu','operator':'Exists','effect':'NoSchedule'}"));
    assertThat(
            admit("ExtendedResourceToleration", pod("{'containers':[{'name':'c'}]}"))
                .has("tolerations"))
        .isFalse();
  }

  @Test
  void aNamespaceChoosesTheNodesOfItsPods() {
    namespace("scheduler.alpha.kubernetes.io/node-selector", "env = test , disk=ssd");
    assertThat(
            admit("PodNodeSelector", pod("{'nodeSelector':{'a':'b','disk':'ssd'}}"))
                .object("nodeSelector"))
        .isEqualTo(json("{'env':'test','disk':'ssd','a':'b'}"));
    assertThatThrownBy(() -> admit("PodNodeSelector", pod("{'nodeSelector':{'env':'x'}}")))
        .hasMessage(
            "pods \"p\" is forbidden: pod node label selector conflicts with its namespace node"
                + " label selector");
    namespace("scheduler.alpha.kubernetes.io/node-selector", "env");
    assertThatThrownBy(() -> admit("PodNodeSelector", pod("{}")))
        .hasMessageEndingWith("invalid selector: [env]");
  }

  @Test
  void aNamespaceTellsWhatItsPodsTolerate() {
    namespace(
        "scheduler.alpha.kubernetes.io/defaultTolerations",
        "[{'key':'a','operator':'Exists','effect':'NoSchedule'}]");
    var spec =
        admit(
            "PodTolerationRestriction",
            pod("{'containers':[{'name':'c','resources':{'requests':{'cpu':'1'}}}]}"));
    assertThat(spec.array("tolerations").objects())
        .extracting(toleration -> toleration.string("key"))
        .containsExactly("a", "node.kubernetes.io/memory-pressure");
    namespace(
        "scheduler.alpha.kubernetes.io/tolerationsWhitelist", "[{'key':'a','operator':'Exists'}]");
    assertThatThrownBy(
            () ->
                admit(
                    "PodTolerationRestriction",
                    pod("{'tolerations':[{'key':'b','operator':'Exists'}]}")))
        .hasMessageEndingWith("conflict with its namespace whitelist");
    assertThat(
            admit(
                    "PodTolerationRestriction",
                    pod("{'tolerations':[{'key':'a','operator':'Equal','value':'x'}]}"))
                .array("tolerations")
                .size())
        .isEqualTo(1);
  }

  @Test
  void imagesArePulledAlwaysButOnlyWhenTheyAreNew() {
    var pull = plugins.plugin("AlwaysPullImages");
    var old = pod("{'containers':[{'name':'c','image':'i','imagePullPolicy':'Never'}]}");
    var same = old.withAt(Json.of("x"), "metadata", "labels", "a");
    assertThat(pull.admit(plugins.requests.update(PODS, same, old))).isEqualTo(same);
    var other =
        pod(
            "{'containers':[{'name':'c','image':'j'}],'volumes':[{'name':'v',"
                + "'image':{'reference':'r'}}]}");
    var spec = pull.admit(plugins.requests.update(PODS, other, old)).object("spec");
    assertThat(spec.array("containers").object(0).string("imagePullPolicy")).isEqualTo("Always");
    assertThat(spec.array("volumes").object(0).object("image").string("pullPolicy"))
        .isEqualTo("Always");
  }

  private void own(Set<String> allowed, String apiVersion, String kind, boolean update) {
    Authorizer authorizer =
        a ->
            allowed.contains(a.verb() + " " + a.resource() + "/" + a.subresource())
                ? Decision.allow("")
                : Decision.noOpinion("no", "");
    var object =
        json(
            ("{'metadata':{'name':'m','namespace':'a','ownerReferences':[{'apiVersion':'%s',"
                    + "'kind':'%s','name':'o','uid':'1','blockOwnerDeletion':true}]}}")
                .formatted(apiVersion, kind));
    var old = json("{'metadata':{'name':'m','namespace':'a'}}");
    new OwnerReferencesPermission(authorizer)
        .validate(
            update
                ? plugins.requests.update(CONFIG_MAPS, object, old)
                : plugins.requests.create(CONFIG_MAPS, object));
  }

  @Test
  void ownersAreSetByThoseWhoMay() {
    own(Set.of("update */finalizers"), "v1", "Pod", false);
    own(Set.of("update pods/finalizers"), "v1", "Pod", false);
    own(Set.of("update pods/finalizers", "delete configmaps/"), "v1", "Pod", true);
    assertThatThrownBy(() -> own(Set.of("update */finalizers"), "v1", "Pod", true))
        .hasMessage(
            "configmaps \"m\" is forbidden: cannot set an ownerRef on a resource you can't delete:"
                + " no, <nil>");
    assertThatThrownBy(() -> own(Set.of(), "v1", "Pod", false))
        .hasMessageContaining("a resource you can't set finalizers on: no, <nil>");
    assertThatThrownBy(() -> own(Set.of(), "v1", "Nothing", false))
        .hasMessageEndingWith("no matches for kind \"Nothing\" in version \"v1\"");
  }

  @Test
  void trustIsAttestedByThoseWhoMay() {
    var type =
        Requests.type("certificates.k8s.io/v1beta1", "ClusterTrustBundle", "clustertrustbundles");
    var attest =
        new Certificates.Attest(
            a -> a.name().equals("ours.io/*") ? Decision.allow("") : Decision.NO_OPINION);
    var bundle = "{'metadata':{'name':'b'%s},'spec':{'signerName':'%s','trustBundle':'x'}}";
    attest.validate(plugins.requests.create(type, json(bundle.formatted("", "ours.io/a"))));
    attest.validate(plugins.requests.create(type, json(bundle.formatted("", ""))));
    var theirs = json(bundle.formatted("", "theirs.io/a"));
    assertThatThrownBy(() -> attest.validate(plugins.requests.create(type, theirs)))
        .hasMessageEndingWith("user not permitted to attest for signerName \"theirs.io/a\"");
    var held = json(bundle.formatted(",'finalizers':['x/y']", "theirs.io/a"));
    attest.validate(plugins.requests.update(type, held, theirs));
  }
}
