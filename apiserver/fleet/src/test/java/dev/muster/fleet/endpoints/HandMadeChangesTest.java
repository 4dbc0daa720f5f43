package dev.muster.fleet.endpoints;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.fleet.endpoints.form.AddressFamily;
import dev.muster.fleet.endpoints.form.PlannedWrite;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What people change by hand: undone where it is the servers', left alone where it is not. */
class HandMadeChangesTest {
  private static final EndpointOptions LEASE = EndpointOptions.defaults();
  private static final String SERVICE = World.key(PlannedWrite.Kind.SERVICE, "kubernetes");
  private static final String ENDPOINTS = World.key(PlannedWrite.Kind.ENDPOINTS, "kubernetes");
  private static final String SLICE = World.key(PlannedWrite.Kind.SLICE, "kubernetes");
  private final Simulation simulation = new Simulation(5);
  private final World world = simulation.world;

  @Test
  void everyHandMadeChangeIsUndone() {
    simulation.start(1, LEASE);
    simulation.start(2, LEASE);
    simulation.settle();
    var service = world.existing(SERVICE);
    var endpoints = world.existing(ENDPOINTS);
    var slice = world.existing(SLICE);
    var subset = endpoints.array("subsets").object(0);
    var port = subset.array("ports").object(0);
    edit(
        ENDPOINTS,
        endpoints.with(
            "subsets", JsonArray.of(subset.with("ports", JsonArray.of(port.with("port", 1))))));
    edit(
        ENDPOINTS,
        endpoints.with(
            "subsets", JsonArray.of(subset.with("ports", JsonArray.of(port.with("name", "x"))))));
    edit(
        ENDPOINTS,
        endpoints.with(
            "subsets",
            JsonArray.of(subset.with("ports", JsonArray.of(port.with("protocol", "UDP"))))));
    edit(ENDPOINTS, endpoints.with("subsets", JsonArray.of(subset, subset)));
    edit(
        ENDPOINTS,
        endpoints.with(
            "subsets",
            JsonArray.of(
                subset.with("addresses", JsonArray.of(JsonObject.of("ip", "192.0.2.1"))))));
    edit(
        ENDPOINTS,
        endpoints.with(
            "subsets",
            JsonArray.of(
                subset.with("addresses", JsonArray.of(JsonObject.of("ip", "192.0.2.99"))))));
    edit(ENDPOINTS, endpoints.withoutAt("metadata", "labels"));
    edit(ENDPOINTS, endpoints.without("subsets"));
    edit(SLICE, slice.with("addressType", "IPv6").with("endpoints", JsonArray.EMPTY));
    edit(SLICE, slice.with("endpoints", JsonArray.EMPTY));
    edit(SERVICE, service.withoutAt("metadata", "labels"));
    edit(SERVICE, service.withAt(Json.of("NodePort"), "spec", "type"));
    edit(SERVICE, service.withAt(JsonObject.of("app", "x"), "spec", "selector"));
    edit(SERVICE, service.withAt(Json.of("ClientIP"), "spec", "sessionAffinity"));
    edit(SERVICE, service.withAt(JsonArray.of(), "spec", "ports"));
    edit(SERVICE, service.withAt(Json.of("PreferDualStack"), "spec", "ipFamilyPolicy"));
    edit(SERVICE, service.withAt(JsonArray.ofStrings(List.of("10.0.0.77")), "spec", "clusterIPs"));
    edit(SERVICE, service.withAt(JsonArray.ofStrings(List.of("None")), "spec", "clusterIPs"));
    for (var key : List.of(SERVICE, ENDPOINTS, SLICE)) {
      world.remove("hand", key);
      simulation.run(Duration.ofSeconds(1));
      assertThat(world.object(key)).as(key).isNotNull();
    }
    world.store(
        "hand",
        "SLICE/kubernetes-ipv6",
        slice.withAt(Json.of("kubernetes-ipv6"), "metadata", "name"));
    simulation.run(Duration.ofSeconds(1));
    assertThat(world.slices().keySet()).containsExactly("kubernetes");
    simulation.quiet(Duration.ofMinutes(2));
    simulation.checkSettled(6443);
    assertThat(simulation.wrong)
        .filteredOn(problem -> !problem.contains("by PT") || !problem.contains("hand"))
        .isEmpty();
  }

  /** A change by hand, which must be gone within a second. */
  private void edit(String key, JsonObject changed) {
    var right = world.existing(key).withoutAt("metadata", "resourceVersion");
    world.store("hand", key, changed);
    simulation.run(Duration.ofSeconds(1));
    assertThat(world.existing(key).withoutAt("metadata", "resourceVersion")).isEqualTo(right);
  }

  @Test
  void slicesOfOthersAreLeftAloneWhateverTheirName() {
    simulation.start(1, LEASE);
    simulation.settle();
    var others =
        Map.of(
            "kubernetes-9090", slice("kubernetes-9090", "web", ""),
            "kubernetes-ipv6", slice("kubernetes-ipv6", "web", "endpointslice-controller.k8s.io"),
            "kubernetes-24567", slice("kubernetes-24567", "kubernetes", "somebody"),
            "kubernetes-4", owned(slice("kubernetes-4", "kubernetes", "")),
            "by-hand", slice("by-hand", "kubernetes", ""));
    others.forEach((name, slice) -> world.store("hand", "SLICE/" + name, slice));
    simulation.settle();
    simulation.start("s2", "192.0.2.2", 9090, Simulation.RANGES, LEASE);
    simulation.start("s3", "192.0.2.3,2001:db8::3", 6443, Simulation.RANGES, LEASE);
    simulation.settle();
    others.forEach(
        (name, slice) ->
            assertThat(world.existing("SLICE/" + name).withoutAt("metadata", "resourceVersion"))
                .isEqualTo(slice));
    assertThat(world.slices())
        .containsOnlyKeys(
            "kubernetes",
            "kubernetes-9090",
            "kubernetes-9090-muster",
            "kubernetes-ipv6",
            "kubernetes-ipv6-muster",
            "kubernetes-24567",
            "kubernetes-4",
            "by-hand");
    for (var server : List.copyOf(simulation.servers)) {
      simulation.stop(server);
    }
    assertThat(world.slices().keySet()).contains("kubernetes").hasSize(others.size() + 1);
    assertThat(simulation.wrong).isEmpty();
  }

  private static JsonObject slice(String name, String service, String manager) {
    var labels = JsonObject.builder().put("kubernetes.io/service-name", service);
    labels.putIf("endpointslice.kubernetes.io/managed-by", manager);
    return JsonObject.of(
        "kind",
        "EndpointSlice",
        "apiVersion",
        "discovery.k8s.io/v1",
        "metadata",
        JsonObject.of("name", name, "namespace", "default", "labels", labels.build()),
        "addressType",
        "IPv4",
        "endpoints",
        JsonArray.EMPTY);
  }

  private static JsonObject owned(JsonObject slice) {
    var owner =
        JsonObject.of(
            "apiVersion", "v1", "kind", "Service", "name", "x", "uid", "1", "controller", true);
    return slice.withAt(JsonArray.of(owner), "metadata", "ownerReferences");
  }

  @Test
  void aSliceThatSomebodyGivesToAnotherServiceIsNotOursAnyMore() {
    simulation.start(1, LEASE);
    simulation.settle();
    var given =
        world
            .existing(SLICE)
            .withAt(Json.of("other"), "metadata", "labels", "kubernetes.io/service-name");
    world.store("hand", SLICE, given);
    simulation.run(Duration.ofSeconds(1));
    assertThat(world.existing(SLICE).withoutAt("metadata", "resourceVersion"))
        .isEqualTo(given.withoutAt("metadata", "resourceVersion"));
    assertThat(world.sliced(AddressFamily.IPV4))
        .containsExactly("192.0.2.1:6443", "192.0.2.1:6443");
    assertThat(world.slices()).containsOnlyKeys("kubernetes", "kubernetes-muster");
    world.remove("hand", SLICE);
    simulation.run(Duration.ofSeconds(1));
    assertThat(world.slices()).containsOnlyKeys("kubernetes");
    simulation.quiet(Duration.ofMinutes(1));
  }

  @Test
  void labelsAndAnnotationsOfOthersStay() {
    simulation.start(1, LEASE);
    simulation.settle();
    world.store(
        "hand",
        SERVICE,
        world.existing(SERVICE).withAt(Json.of("me"), "metadata", "labels", "owner"));
    world.store(
        "hand",
        ENDPOINTS,
        world.existing(ENDPOINTS).withAt(Json.of("x"), "metadata", "annotations", "note"));
    simulation.quiet(Duration.ofSeconds(30));
    assertThat(simulation.wrong).isEmpty();
  }
}
