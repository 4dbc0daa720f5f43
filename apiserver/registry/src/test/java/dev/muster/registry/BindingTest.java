package dev.muster.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.status.ApiException;
import dev.muster.types.ObjectMeta;
import dev.muster.validation.pods.PodConditions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BindingTest {
  private static final String PODS = "v1/pods";

  private final Workbench bench = new Workbench();

  @AfterEach
  void close() {
    bench.close();
  }

  private void pod(String members) {
    bench.create(
        PODS,
        "{'metadata':{'name':'p'},'spec':{'containers':[{'name':'c','image':'i'}]"
            + members
            + "}}");
  }

  private void bind(String binding) {
    var resourceRequest = bench.call(PODS, "p", "binding");
    bench
        .handlers
        .bindings()
        .bind(
            resourceRequest,
            Workbench.json(binding),
            Workbench.options(resourceRequest, "CreateOptions"));
  }

  @Test
  void aPodIsAssignedOnce() {
    pod("");
    bind("{'metadata':{'name':'p','labels':{'zone':'z'}},'target':{'name':'n'}}");
    var pod = bench.stored(PODS, "p");
    assertThat(pod.object("spec").string("nodeName")).isEqualTo("n");
    assertThat(pod.object("metadata", "labels").string("zone")).isEqualTo("z");
    assertThat(PodConditions.status(pod, "PodScheduled")).isEqualTo("True");
    assertThat(ObjectMeta.generation(pod)).isEqualTo(1);
    assertThatThrownBy(() -> bind("{'metadata':{'name':'p'},'target':{'name':'m'}}"))
        .hasMessage(
            "Operation cannot be fulfilled on pods/binding \"p\": pod p is already assigned to node"
                + " \"n\"");
  }

  @Test
  void gatedPodsWait() {
    pod(",'schedulingGates':[{'name':'g'}]");
    assertThatThrownBy(() -> bind("{'metadata':{'name':'p'},'target':{'name':'n'}}"))
        .hasMessageEndingWith("pod p has non-empty .spec.schedulingGates");
  }

  @Test
  void onlyNodesAreTargets() {
    pod("");
    assertThatThrownBy(() -> bind("{'metadata':{'name':'p'},'target':{'kind':'Rack','name':'n'}}"))
        .hasMessage(
            "target.kind: Unsupported value: \"Rack\": supported values: \"Node\", \"<empty>\"")
        .satisfies(failure -> assertThat(((ApiException) failure).code()).isEqualTo(400));
  }

  @Test
  void anotherVersionIsRefused() {
    pod("");
    assertThatThrownBy(
            () -> bind("{'metadata':{'name':'p','resourceVersion':'77'},'target':{'name':'n'}}"))
        .hasMessageContaining(
            "Precondition failed: ResourceVersion in precondition: 77, ResourceVersion in object"
                + " meta: ");
  }

  @Test
  void aMissingPodIsNotFound() {
    assertThatThrownBy(() -> bind("{'metadata':{'name':'p'},'target':{'name':'n'}}"))
        .hasMessage("pods \"p\" not found");
  }

  @Test
  void aNameThatNoPodCanHaveIsRefused() {
    var resourceRequest = bench.call("v1/bindings", "", "");
    assertThatThrownBy(
            () ->
                bench
                    .handlers
                    .bindings()
                    .bind(
                        resourceRequest,
                        Workbench.json("{'metadata':{'name':'a/b'},'target':{'name':'n'}}"),
                        Workbench.options(resourceRequest, "CreateOptions")))
        .hasMessage("Name parameter invalid: \"a/b\": may not contain '/'");
  }
}
