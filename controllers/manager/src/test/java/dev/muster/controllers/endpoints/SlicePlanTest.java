package dev.muster.controllers.endpoints;

import static dev.muster.controllers.Yaml.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SlicePlanTest {
  private static final String SERVICE =
      """
      metadata: {name: web, namespace: shop, uid: u-web, labels: {app: web}}
      spec:
        clusterIP: 10.0.0.1
        ipFamilies: [IPv4]
        selector: {app: web}
        ports: [{name: http, port: 80, targetPort: http, protocol: TCP}]
      """;
  private static final JsonObject ZONED =
      object("metadata: {name: n, labels: {topology.kubernetes.io/zone: z1}}");

  private boolean complete = true;

  private SliceChanges plan(JsonObject service, List<JsonObject> pods, List<JsonObject> slices) {
    return plan(service, pods, slices, ZONED);
  }

  private SliceChanges plan(
      JsonObject service,
      List<JsonObject> pods,
      List<JsonObject> slices,
      @Nullable JsonObject node) {
    var plan = new SlicePlan(service, 100, name -> node, ZoneShares.UNKNOWN);
    var changes = plan.changes(pods, slices);
    complete = plan.complete();
    return changes;
  }

  private static JsonObject pod(int number, String ready) {
    return object(
        """
        metadata: {name: p%1$d, namespace: shop, uid: u%1$d, labels: {app: web}}
        spec: {nodeName: n, containers: [{ports: [{name: http, containerPort: 8080}]}]}
        status:
          phase: Running
          podIPs: [{ip: 10.1.%2$d.%3$d}, {ip: 'fd00::%1$x'}]
          conditions: [{type: Ready, status: '%4$s'}]
        """
            .formatted(number, number / 256, number % 256, ready));
  }

  private static List<JsonObject> pods(int count) {
    return IntStream.range(0, count).mapToObj(number -> pod(number, "True")).toList();
  }

  /** Slices as the API server would give them back. */
  private static List<JsonObject> stored(SliceChanges changes) {
    var slices = new ArrayList<JsonObject>();
    for (var slice : changes.create()) {
      var metadata =
          slice.object("metadata").with("name", "s" + slices.size()).with("resourceVersion", "1");
      slices.add(slice.with("metadata", metadata));
    }
    return slices;
  }

  @Test
  void aSliceTellsAllThatProxiesNeed() {
    var slice = plan(object(SERVICE), List.of(pod(1, "True")), List.of()).create().getFirst();
    assertThat(slice)
        .isEqualTo(
            object(
                """
                apiVersion: discovery.k8s.io/v1
                kind: EndpointSlice
                metadata:
                  generateName: web-
                  namespace: shop
                  labels:
                    app: web
                    kubernetes.io/service-name: web
                    endpointslice.kubernetes.io/managed-by: endpointslice-controller.k8s.io
                  ownerReferences:
                  - {apiVersion: v1, kind: Service, name: web, uid: u-web, controller: true,
                     blockOwnerDeletion: true}
                addressType: IPv4
                endpoints:
                - addresses: [10.1.0.1]
                  conditions: {ready: true, serving: true, terminating: false}
                  targetRef: {kind: Pod, namespace: shop, name: p1, uid: u1}
                  nodeName: n
                  zone: z1
                ports: [{name: http, protocol: TCP, port: 8080}]
                """));
  }

  @Test
  void thousandsOfEndpointsAreInFullSlicesAndEachInOne() {
    var changes = plan(object(SERVICE), pods(5000), List.of());
    assertThat(changes.create()).hasSize(50);
    var seen = new HashSet<String>();
    for (var slice : changes.create()) {
      for (var endpoint : slice.array("endpoints").objects()) {
        assertThat(seen.add(endpoint.object("targetRef").string("name"))).isTrue();
      }
    }
    assertThat(seen).hasSize(5000);
    assertThat(plan(object(SERVICE), pods(5000), stored(changes)).isEmpty()).isTrue();
  }

  @Test
  void onePodThatChangesRewritesOneSlice() {
    var slices = stored(plan(object(SERVICE), pods(1000), List.of()));
    var pods = new ArrayList<>(pods(1000));
    pods.set(555, pod(555, "False"));
    var changes = plan(object(SERVICE), pods, slices);
    assertThat(changes.create()).isEmpty();
    assertThat(changes.delete()).isEmpty();
    assertThat(changes.update()).hasSize(1);
    pods.remove(555);
    changes = plan(object(SERVICE), pods, slices);
    assertThat(changes.update()).hasSize(1);
    assertThat(changes.update().getFirst().array("endpoints").size()).isEqualTo(99);
  }

  @Test
  void aNewPodGoesWhereThereIsRoom() {
    var slices = stored(plan(object(SERVICE), pods(250), List.of()));
    var changes = plan(object(SERVICE), pods(251), slices);
    assertThat(changes.create()).isEmpty();
    assertThat(changes.update()).hasSize(1);
    assertThat(changes.update().getFirst().array("endpoints").size()).isEqualTo(51);
  }

  @Test
  void anEndpointInTwoSlicesAfterACrashStaysInOne() {
    var slices = stored(plan(object(SERVICE), pods(3), List.of()));
    var again = slices.getFirst();
    var twin = again.with("metadata", again.object("metadata").with("name", "twin"));
    var changes = plan(object(SERVICE), pods(3), List.of(again, twin));
    assertThat(changes.delete()).containsExactly(twin);
    assertThat(changes.update()).isEmpty();
  }

  @Test
  void aServiceWithoutPodsHasAnEmptySlice() {
    var none = plan(object(SERVICE), List.of(), List.of());
    assertThat(none.create()).hasSize(1);
    assertThat(none.create().getFirst().array("endpoints").isEmpty()).isTrue();
    assertThat(plan(object(SERVICE), List.of(), stored(none)).isEmpty()).isTrue();
    var first = plan(object(SERVICE), pods(1), stored(none));
    assertThat(first.create()).isEmpty();
    assertThat(first.delete()).isEmpty();
    assertThat(first.update()).hasSize(1);
  }

  @Test
  void eachFamilyHasItsSlices() {
    var dual = object(SERVICE.replace("[IPv4]", "[IPv4, IPv6]"));
    var changes = plan(dual, pods(1), List.of());
    assertThat(changes.create().stream().map(slice -> slice.string("addressType")).toList())
        .containsExactly("IPv4", "IPv6");
    assertThat(changes.create().getLast().array("endpoints").object(0).array("addresses").strings())
        .containsExactly("fd00::");
    var single = plan(object(SERVICE), pods(1), stored(changes));
    assertThat(single.delete()).hasSize(1);
    assertThat(single.update()).isEmpty();
  }

  @Test
  void podsThatEndServeButAreNotReady() {
    var ending =
        pod(1, "True").withAt(Json.of("2026-01-01T00:00:00Z"), "metadata", "deletionTimestamp");
    var slice = plan(object(SERVICE), List.of(ending), List.of()).create().getFirst();
    assertThat(slice.array("endpoints").object(0).object("conditions"))
        .isEqualTo(object("{ready: false, serving: true, terminating: true}"));
    var published = object(SERVICE + "  publishNotReadyAddresses: true\n");
    slice = plan(published, List.of(pod(1, "False")), List.of()).create().getFirst();
    assertThat(slice.array("endpoints").object(0).object("conditions"))
        .isEqualTo(object("{ready: true, serving: false, terminating: false}"));
  }

  @Test
  void podsThatHaveEndedOrHaveNoAddressAreLeftOut() {
    var ended = pod(1, "True").withAt(Json.of("Failed"), "status", "phase");
    var without = pod(2, "True").withoutAt("status", "podIPs");
    var slice = plan(object(SERVICE), List.of(ended, without), List.of()).create().getFirst();
    assertThat(slice.array("endpoints").isEmpty()).isTrue();
  }

  @Test
  void aPodWhoseNodeIsUnknownWaits() {
    var changes = plan(object(SERVICE), pods(1), List.of(), null);
    assertThat(changes.create().getFirst().array("endpoints").isEmpty()).isTrue();
    assertThat(complete).isFalse();
  }

  @Test
  void podsWithOtherPortsAreInOtherSlices() {
    var other =
        object(pod(2, "True").toString().replace("\"containerPort\":8080", "\"containerPort\":9"));
    var changes = plan(object(SERVICE), List.of(pod(1, "True"), other), List.of());
    assertThat(changes.create()).hasSize(2);
    var gone = plan(object(SERVICE), List.of(pod(1, "True")), stored(changes));
    assertThat(gone.delete()).hasSize(1);
    assertThat(gone.update()).isEmpty();
  }

  @Test
  void trafficStaysInItsZoneOrOnItsNode() {
    var slices = stored(plan(object(SERVICE), pods(2), List.of()));
    var near = object(SERVICE + "  trafficDistribution: PreferSameNode\n");
    var changes = plan(near, pods(2), slices);
    assertThat(changes.update()).hasSize(1);
    var slice = changes.update().getFirst();
    assertThat(slice.array("endpoints").object(0).object("hints"))
        .isEqualTo(object("{forZones: [{name: z1}], forNodes: [{name: n}]}"));
    assertThat(plan(near, pods(2), List.of(slice)).isEmpty()).isTrue();
    assertThat(plan(object(SERVICE), pods(2), List.of(slice)).update()).hasSize(1);
  }

  @Test
  void labelsOfTheServiceAreHandedOn() {
    var slices = stored(plan(object(SERVICE), pods(1), List.of()));
    var headless =
        object(SERVICE.replace("10.0.0.1", "None").replace("{app: web}}\n", "{tier: a}}\n"));
    var changes = plan(headless, pods(1), slices);
    assertThat(changes.update().getFirst().object("metadata").object("labels").strings())
        .containsEntry("tier", "a")
        .containsEntry("service.kubernetes.io/headless", "")
        .doesNotContainKey("app");
  }

  @Test
  void slicesOfAnEarlierServiceOfThatNameGo() {
    var slices = stored(plan(object(SERVICE), pods(1), List.of()));
    var changes = plan(object(SERVICE.replace("u-web", "u-new")), pods(1), slices);
    assertThat(changes.create()).hasSize(1);
    assertThat(changes.delete()).isEqualTo(slices);
  }
}
