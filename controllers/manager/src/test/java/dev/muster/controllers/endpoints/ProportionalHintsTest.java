package dev.muster.controllers.endpoints;

import static dev.muster.controllers.Yaml.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Endpoints of services whose annotation asks for hints by the processors of zones. */
class ProportionalHintsTest {
  private static final JsonObject SERVICE =
      object(
          """
          metadata:
            {name: web, namespace: shop, uid: u-web,
             annotations: {service.kubernetes.io/topology-mode: Auto}}
          spec:
            clusterIP: 10.0.0.1
            ipFamilies: [IPv4]
            selector: {app: web}
            trafficDistribution: PreferSameNode
            ports: [{name: http, port: 80, targetPort: 8080, protocol: TCP}]
          """);

  private final List<JsonObject> nodes = new ArrayList<>();
  private String problem = "";

  private static JsonObject node(String zone, String cpu, String ready) {
    return object(
        """
        metadata: {name: n-%1$s, labels: {topology.kubernetes.io/zone: '%1$s'}}
        status: {allocatable: {cpu: '%2$s'}, conditions: [{type: Ready, status: '%3$s'}]}
        """
            .formatted(zone, cpu, ready));
  }

  private static List<JsonObject> pods(String zone, int count) {
    var pods = new ArrayList<JsonObject>();
    for (int i = 0; i < count; i++) {
      pods.add(
          object(
              """
              metadata: {name: %1$s-%2$d, namespace: shop, uid: u-%1$s-%2$d}
              spec: {nodeName: n-%1$s}
              status:
                phase: Running
                podIPs: [{ip: 10.1.%3$d.%2$d}]
                conditions: [{type: Ready, status: 'True'}]
              """
                  .formatted(zone, i, zone.charAt(0) - 'a')));
    }
    return pods;
  }

  private static List<JsonObject> pods(int a, int b, int c) {
    var all = new ArrayList<>(pods("a", a));
    all.addAll(pods("b", b));
    all.addAll(pods("c", c));
    return all;
  }

  private SliceChanges plan(JsonObject service, List<JsonObject> pods, List<JsonObject> slices) {
    var plan =
        new SlicePlan(
            service,
            100,
            name ->
                nodes.stream()
                    .filter(node -> node.object("metadata").string("name").equals(name))
                    .findFirst()
                    .orElse(null),
            ZoneShares.of(nodes));
    var changes = plan.changes(pods, slices);
    problem = plan.hintProblems().getOrDefault("IPv4", "none");
    return changes;
  }

  private static JsonObject stored(SliceChanges changes) {
    var slice = changes.create().getFirst();
    var metadata = slice.object("metadata").with("name", "s").with("resourceVersion", "1");
    return slice.with("metadata", metadata);
  }

  /** How many endpoints are for each zone, and "" for those without a hint. */
  private static Map<String, Integer> zones(JsonObject slice) {
    var zones = new TreeMap<String, Integer>();
    for (var endpoint : slice.array("endpoints").objects()) {
      var hints = endpoint.object("hints").array("forZones");
      zones.merge(hints.isEmpty() ? "" : hints.object(0).string("name"), 1, Integer::sum);
    }
    return zones;
  }

  private void threeZones() {
    nodes.clear();
    nodes.addAll(List.of(node("a", "4", "True"), node("b", "4", "True"), node("c", "4", "True")));
  }

  @Test
  void endpointsStayInTheirZonesWhileThoseHaveTheirPart() {
    threeZones();
    var slice = stored(plan(SERVICE, pods(2, 2, 2), List.of()));
    assertThat(zones(slice)).isEqualTo(Map.of("a", 2, "b", 2, "c", 2));
    assertThat(problem).isEmpty();
    assertThat(slice.array("endpoints").object(0).object("hints").has("forNodes"))
        .as("the annotation comes before trafficDistribution")
        .isFalse();
    assertThat(plan(SERVICE, pods(2, 2, 2), List.of(slice)).isEmpty()).isTrue();
  }

  @Test
  void zonesThatHaveTooManyGiveToThoseThatHaveTooFew() {
    threeZones();
    assertThat(zones(stored(plan(SERVICE, pods(5, 1, 0), List.of()))))
        .isEqualTo(Map.of("a", 2, "b", 2, "c", 2));
    nodes.set(0, node("a", "8", "True"));
    assertThat(zones(stored(plan(SERVICE, pods(4, 4, 4), List.of()))))
        .isEqualTo(Map.of("a", 6, "b", 3, "c", 3));
  }

  @Test
  void hintsThatAreGoodEnoughStay() {
    threeZones();
    var slice = stored(plan(SERVICE, pods(4, 4, 4), List.of()));
    nodes.set(0, node("a", "4100m", "True"));
    assertThat(plan(SERVICE, pods(4, 4, 4), List.of(slice)).isEmpty()).isTrue();
  }

  @Test
  void whatCannotBeDividedHasNoHintsAndIsToldWhy() {
    threeZones();
    var slice = stored(plan(SERVICE, pods(2, 2, 2), List.of()));
    nodes.set(1, node("b", "4", "False"));
    nodes.set(2, node("c", "4", "False"));
    var changes = plan(SERVICE, pods(2, 2, 2), List.of(slice));
    assertThat(problem).startsWith("Insufficient Node information");
    assertThat(zones(changes.update().getFirst())).isEqualTo(Map.of("", 6));
    threeZones();
    plan(SERVICE, pods(1, 1, 0), List.of());
    assertThat(problem).isEqualTo("Insufficient number of endpoints (2 endpoints, 3 zones)");
    nodes.set(0, node("a", "10", "True"));
    plan(SERVICE, pods(1, 1, 1), List.of());
    assertThat(problem)
        .isEqualTo(
            "Unable to allocate minimum required endpoints to each zone without exceeding overload"
                + " threshold (3 endpoints, 3 zones)");
  }

  @Test
  void nodesOfTheControlPlaneHaveNoPart() {
    threeZones();
    nodes.add(
        node("d", "64", "True")
            .withAt(Json.of(""), "metadata", "labels", "node-role.kubernetes.io/control-plane"));
    assertThat(ZoneShares.of(nodes).byZone()).containsOnlyKeys("a", "b", "c");
    nodes.set(0, node("", "4", "True"));
    assertThat(ZoneShares.of(nodes)).isEqualTo(ZoneShares.UNKNOWN);
  }

  @Test
  void withoutTheAnnotationTheDistributionOfTheSpecCounts() {
    threeZones();
    var slice = stored(plan(SERVICE, pods(2, 2, 2), List.of()));
    for (var mode : List.of("Disabled", "Auto ")) {
      var service =
          SERVICE.withAt(
              Json.of(mode), "metadata", "annotations", "service.kubernetes.io/topology-mode");
      var changes = plan(service, pods(2, 2, 2), List.of(slice));
      assertThat(problem).isEqualTo("none");
      assertThat(changes.update().getFirst().array("endpoints").object(0).object("hints"))
          .isEqualTo(object("{forZones: [{name: a}], forNodes: [{name: n-a}]}"));
    }
    var former =
        SERVICE.withAt(
            Json.of("Disabled"),
            "metadata",
            "annotations",
            "service.kubernetes.io/topology-aware-hints");
    plan(former, pods(2, 2, 2), List.of());
    assertThat(problem).as("its former name counts more").isEqualTo("none");
  }
}
