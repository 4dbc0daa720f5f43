package dev.muster.admission;

import static dev.muster.admission.Plugins.PODS;
import static dev.muster.admission.Plugins.json;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.json.JsonObject;
import dev.muster.registry.admission.AdmissionOperation;
import org.junit.jupiter.api.Test;

class PodResizeTest {
  private final Plugins plugins = new Plugins();

  private void node(String members) {
    plugins.cluster.put("/minions", json("{'metadata':{'name':'n'" + members + "}"));
  }

  private static JsonObject pod(int generation, String spec) {
    return json(
        "{'metadata':{'name':'p','namespace':'a','generation':"
            + generation
            + "},'spec':{'nodeName':'n'"
            + spec
            + "}}");
  }

  private static String cpu(String amount) {
    return ",'containers':[{'name':'c','resources':{'requests':{'cpu':'" + amount + "'}}}]";
  }

  private void resize(String plugin, String before, String after) {
    plugins
        .plugin(plugin)
        .validate(
            plugins.requests.request(
                AdmissionOperation.UPDATE, PODS, "resize", pod(2, after), pod(1, before)));
  }

  @Test
  void aPodGetsNoMoreThanItsNodeHas() {
    node("},'status':{'allocatable':{'cpu':'4','memory':'1Gi'}}");
    assertThatCode(() -> resize("PodResizeValidator", cpu("1"), cpu("4")))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> resize("PodResizeValidator", cpu("1"), cpu("5")))
        .hasMessage(
            "pods \"p\" is forbidden: node didn't have enough allocatable resources: cpu,"
                + " requested: 5000, allocatable: 4000");
  }

  @Test
  void nodesThatAreGoneOrRunAnotherSystemResizeNothing() {
    assertThatThrownBy(() -> resize("PodResizeValidator", cpu("1"), cpu("2")))
        .hasMessage("pods \"p\" is forbidden: node \"n\" not found");
    node(",'labels':{'kubernetes.io/os':'windows'}}");
    assertThatThrownBy(() -> resize("PodResizeValidator", cpu("1"), cpu("2")))
        .hasMessage(
            "pods \"p\" is forbidden: pod resize is only supported on linux nodes, node \"n\" is"
                + " \"windows\"");
  }

  @Test
  void someChangesNeedANodeThatDeclaresToFollowThem() {
    var small = ",'initContainers':[{'name':'i','resources':{'requests':{'cpu':'1'}}}]";
    var large = ",'initContainers':[{'name':'i','resources':{'requests':{'cpu':'2'}}}]";
    node("}");
    assertThatThrownBy(() -> resize("NodeDeclaredFeatureValidator", small, large))
        .hasMessage(
            "pods \"p\" is forbidden: pod update requires features"
                + " InPlacePodVerticalScalingInitContainers which are not available on node"
                + " \"n\"");
    node("},'status':{'declaredFeatures':['InPlacePodVerticalScalingInitContainers']}");
    assertThatCode(() -> resize("NodeDeclaredFeatureValidator", small, large))
        .doesNotThrowAnyException();
  }
}
