package dev.muster.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.types.ObjectMeta;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The subresources of a pod that change a part of its spec. */
class PodPartsTest {
  private static final String PODS = "v1/pods";

  private final Workbench bench = new Workbench();

  @AfterEach
  void close() {
    bench.close();
  }

  private void pod(String container) {
    bench.create(
        PODS,
        "{'metadata':{'name':'p'},'spec':{'containers':[{'name':'c','image':'i'"
            + container
            + "}]}}");
  }

  private void resize(String resources) {
    bench.patch(
        PODS,
        "p",
        "resize",
        "{'metadata':{'labels':{'a':'b'}},'spec':{'containers':[{'name':'c','image':'other',"
            + "'resources':"
            + resources
            + "}]}}");
  }

  @Test
  void ephemeralContainersAreAddedAndNothingElse() {
    pod("");
    bench.patch(
        PODS,
        "p",
        "ephemeralcontainers",
        "{'metadata':{'labels':{'a':'b'}},'spec':{'restartPolicy':'Never',"
            + "'ephemeralContainers':[{'name':'d','image':'i'}]}}");
    var pod = bench.stored(PODS, "p");
    assertThat(pod.object("spec").array("ephemeralContainers").size()).isEqualTo(1);
    assertThat(pod.object("spec").string("restartPolicy")).isEqualTo("Always");
    assertThat(pod.object("metadata").has("labels")).isFalse();
    assertThat(ObjectMeta.generation(pod)).isEqualTo(2);
  }

  @Test
  void ephemeralContainersStay() {
    pod("");
    bench.patch(
        PODS,
        "p",
        "ephemeralcontainers",
        "{'spec':{'ephemeralContainers':[{'name':'d','image':'i'}]}}");
    assertThatThrownBy(
            () ->
                bench.patch(
                    PODS, "p", "ephemeralcontainers", "{'spec':{'ephemeralContainers':null}}"))
        .hasMessageContaining("existing ephemeral containers \"d\" may not be removed");
    assertThatThrownBy(
            () ->
                bench.patch(
                    PODS,
                    "p",
                    "ephemeralcontainers",
                    "{'spec':{'ephemeralContainers':[{'name':'d','image':'j'}]}}"))
        .hasMessageContaining("existing ephemeral containers \"d\" may not be changed");
  }

  @Test
  void aResizeChangesOnlyResources() {
    pod(",'resources':{'requests':{'cpu':'1'}}");
    resize("{'requests':{'cpu':'2'}}");
    var pod = bench.stored(PODS, "p");
    var container = pod.object("spec").array("containers").object(0);
    assertThat(container.object("resources", "requests").string("cpu")).isEqualTo("2");
    assertThat(container.string("image")).isEqualTo("i");
    assertThat(pod.object("metadata").has("labels")).isFalse();
    assertThat(ObjectMeta.generation(pod)).isEqualTo(2);
  }

  @Test
  void aResizeKeepsTheQualityOfService() {
    pod("");
    assertThatThrownBy(() -> resize("{'requests':{'cpu':'2'}}"))
        .hasMessageContaining(
            "spec: Invalid value: \"BestEffort\": Pod QOS Class may not change as a result of"
                + " resizing");
  }

  @Test
  void aResizeTakesNoLimitAway() {
    pod(",'resources':{'requests':{'cpu':'1'},'limits':{'cpu':'2'}}");
    assertThatThrownBy(() -> resize("{'requests':{'cpu':'1'}}"))
        .hasMessageContaining(
            "spec.containers[0].resources.limits: Forbidden: resource limits cannot be removed");
  }

  @Test
  void onlyCpuAndMemoryAreResized() {
    pod(",'resources':{'requests':{'cpu':'1'}}");
    assertThatThrownBy(() -> resize("{'requests':{'cpu':'1','ephemeral-storage':'1Gi'}}"))
        .hasMessageContaining("spec: Forbidden: only cpu and memory resources are mutable");
  }
}
