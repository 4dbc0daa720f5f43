package dev.muster.fleet.endpoints;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.schema.ProtobufCodec;
import dev.muster.store.Operation;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Single situations, each in a simulated world of its own. */
class ScenarioTest {
  private static final String RANGES = "10.0.0.0/24,fd00::/112";
  private static final EndpointOptions LEASE = EndpointOptions.defaults();
  private static final EndpointOptions CONFIGMAP = LEASE.withType(ReconcilerType.CONFIGMAP);
  private static final String SERVICE = World.key(Write.Kind.SERVICE, "kubernetes");
  private static final String ENDPOINTS = World.key(Write.Kind.ENDPOINTS, "kubernetes");
  private static final String SLICE = World.key(Write.Kind.SLICE, "kubernetes");

  private final Simulation simulation = new Simulation(5);
  private final World world = simulation.world;

  private SimServer start(int number, EndpointOptions options) {
    return simulation.start("s" + number, "192.0.2." + number, 6443, RANGES, options);
  }

  private void settle() {
    simulation.run(Duration.ofSeconds(30));
  }

  private JsonObject object(String key) {
    return Objects.requireNonNull(world.object(key));
  }

  @Test
  void whatIsMissingIsMadeWithOneWriteEach() {
    start(1, LEASE);
    simulation.run(Duration.ofSeconds(1));
    assertThat(world.changes)
        .extracting(World.Change::what)
        .containsExactly(SERVICE, ENDPOINTS, SLICE);
    simulation.quiet(Duration.ofMinutes(2));
    assertThat(simulation.wrong).isEmpty();
  }

  @Test
  void everyHandMadeChangeIsUndone() {
    start(1, LEASE);
    start(2, LEASE);
    settle();
    var service = object(SERVICE);
    var endpoints = object(ENDPOINTS);
    var slice = object(SLICE);
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
    var right = object(key).withoutAt("metadata", "resourceVersion");
    world.store("hand", key, changed);
    simulation.run(Duration.ofSeconds(1));
    assertThat(object(key).withoutAt("metadata", "resourceVersion")).isEqualTo(right);
  }

  @Test
  void slicesOfOthersAreLeftAloneWhateverTheirName() {
    start(1, LEASE);
    settle();
    var others =
        Map.of(
            "kubernetes-9090", slice("kubernetes-9090", "web", ""),
            "kubernetes-ipv6", slice("kubernetes-ipv6", "web", "endpointslice-controller.k8s.io"),
            "kubernetes-24567", slice("kubernetes-24567", "kubernetes", "somebody"),
            "kubernetes-4", owned(slice("kubernetes-4", "kubernetes", "")),
            "by-hand", slice("by-hand", "kubernetes", ""));
    others.forEach((name, slice) -> world.store("hand", "SLICE/" + name, slice));
    settle();
    simulation.start("s2", "192.0.2.2", 9090, RANGES, LEASE);
    simulation.start("s3", "192.0.2.3,2001:db8::3", 6443, RANGES, LEASE);
    settle();
    others.forEach(
        (name, slice) ->
            assertThat(object("SLICE/" + name).withoutAt("metadata", "resourceVersion"))
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
    start(1, LEASE);
    settle();
    var given =
        object(SLICE).withAt(Json.of("other"), "metadata", "labels", "kubernetes.io/service-name");
    world.store("hand", SLICE, given);
    simulation.run(Duration.ofSeconds(1));
    assertThat(object(SLICE).withoutAt("metadata", "resourceVersion"))
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
    start(1, LEASE);
    settle();
    world.store(
        "hand", SERVICE, object(SERVICE).withAt(Json.of("me"), "metadata", "labels", "owner"));
    world.store(
        "hand",
        ENDPOINTS,
        object(ENDPOINTS).withAt(Json.of("x"), "metadata", "annotations", "note"));
    simulation.quiet(Duration.ofSeconds(30));
    assertThat(simulation.wrong).isEmpty();
  }

  @Test
  void aServerThatDiesIsOutWithinItsLeaseAndOneInterval() {
    start(1, LEASE);
    var dying = start(2, LEASE);
    settle();
    simulation.kill(dying);
    simulation.run(Duration.ofSeconds(26));
    assertThat(world.published()).containsExactly("192.0.2.1:6443");
  }

  @Test
  void theLastServerLeavesEmptySubsetsAndMakesNothingNew() {
    var last = start(1, LEASE);
    settle();
    simulation.stop(last);
    assertThat(object(ENDPOINTS).array("subsets")).isEmpty();
    assertThat(object(SLICE).array("endpoints")).isEmpty();
    assertThat(object(SLICE).string("addressType")).isEqualTo("IPv4");
    assertThat(world.under(LeaseRecords.OWN)).isEmpty();
    assertThat(world.under(LeaseRecords.MASTER)).isEmpty();
    var again = start(2, LEASE);
    settle();
    world.remove("hand", ENDPOINTS);
    world.remove("hand", SERVICE);
    simulation.stop(again);
    assertThat(world.object(ENDPOINTS)).isNull();
    assertThat(world.object(SERVICE)).isNull();
  }

  @Test
  void anEmptyListOfRecordsIsNotAnEmptyFleet() {
    var server = start(1, LEASE);
    settle();
    int before = world.changes.size();
    server.eyes =
        view -> new View(List.of(), List.of(), view.objects(), null, view.config(), view.ranges());
    simulation.run(Duration.ofSeconds(30));
    assertThat(world.changes).hasSize(before);
  }

  @Test
  void aRecordThatTheStoreForgotToExpireIsRemoved() {
    start(1, LEASE);
    settle();
    world.commit(
        List.of(
            new Operation.Put(
                LeaseRecords.MASTER + "192.0.2.77", master("192.0.2.77"), Operation.ANY)));
    simulation.run(Duration.ofSeconds(2));
    assertThat(world.published()).contains("192.0.2.77:6443");
    simulation.run(Duration.ofSeconds(70));
    assertThat(world.published()).containsExactly("192.0.2.1:6443");
    assertThat(world.under(LeaseRecords.MASTER)).hasSize(1);
  }

  @Test
  void recordsInKubeApiserversFormAreReadAndWritten() {
    world.commit(
        List.of(
            new Operation.Put(
                LeaseRecords.MASTER + "192.0.2.9", master("192.0.2.9"), Operation.ANY)));
    simulation.start("s1", "192.0.2.1,2001:db8::1", 6443, RANGES, LEASE);
    simulation.run(Duration.ofSeconds(5));
    assertThat(world.published()).containsExactly("192.0.2.1:6443", "192.0.2.9:6443");
    var written = world.under(LeaseRecords.MASTER).getFirst();
    assertThat(written.key()).isEqualTo("/masterleases/192.0.2.1");
    assertThat(ProtobufCodec.isEnvelope(written.value())).isTrue();
    var record = ProtobufCodec.decode(written.value());
    assertThat(record.string("kind")).isEqualTo("Endpoints");
    assertThat(record.array("subsets").object(0).array("addresses").object(0).string("ip"))
        .isEqualTo("192.0.2.1");
  }

  @Test
  void besideKubeApiserversEndpointsHaveOnePortAndOthersGetSlices() {
    simulation.startOld("192.0.2.9", 6443);
    simulation.start("s1", "192.0.2.1", 6443, RANGES, LEASE);
    simulation.start("s2", "192.0.2.2", 7443, RANGES, LEASE);
    settle();
    simulation.quiet(Duration.ofMinutes(2));
    assertThat(simulation.wrong).isEmpty();
    assertThat(world.published()).containsExactly("192.0.2.1:6443", "192.0.2.9:6443");
    assertThat(world.slices().keySet()).containsExactlyInAnyOrder("kubernetes", "kubernetes-7443");
  }

  @Test
  void anAddressSharedWithAKubeApiserverStaysWhenEitherGoes() {
    var old = simulation.startOld("192.0.2.50", 6443);
    var one = simulation.start("s1", "192.0.2.50", 6443, RANGES, LEASE);
    settle();
    simulation.stop(old);
    assertThat(world.published()).as("what a kube-apiserver does when it goes").isEmpty();
    simulation.run(Duration.ofSeconds(1));
    assertThat(world.published()).containsExactly("192.0.2.50:6443");
    assertThat(world.under(LeaseRecords.MASTER)).hasSize(1);
    simulation.wrong.clear();
    simulation.startOld("192.0.2.50", 6443);
    settle();
    simulation.stop(one);
    settle();
    assertThat(world.published()).containsExactly("192.0.2.50:6443");
    assertThat(simulation.wrong).isEmpty();
  }

  @Test
  void loopbackIsNeverPublished() {
    simulation.start("s1", "127.0.0.1,::1", 6443, RANGES, LEASE);
    settle();
    assertThat(world.published()).isEmpty();
    assertThat(world.clusterIps().strings()).containsExactly("10.0.0.1");
    assertThat(world.under(LeaseRecords.MASTER)).isEmpty();
  }

  @Test
  void theConfigMapHasOneEntryPerAddressAndTheirNumber() {
    simulation.start("s1", "192.0.2.1,2001:db8::1", 443, RANGES, CONFIGMAP);
    settle();
    var data = object("CONFIGMAP/kube-apiserver-endpoints").object("data");
    assertThat(data.keys())
        .containsExactlyInAnyOrder("ip-192-0-2-1-443", "ip-2001-db8--1-443", "master-count");
    assertThat(data.string("master-count")).isEqualTo("2");
    assertThat(data.string("ip-192-0-2-1-443")).matches("2026-01-01T00:00:0.*Z");
    assertThat(
            object("CONFIGMAP/kube-apiserver-config").object("data").string("expiration-duration"))
        .isEqualTo("1m");
    assertThat(world.clusterIps().size()).isEqualTo(2);
  }

  @Test
  void malformedEntriesAndDurationsAreSurvived() {
    start(1, CONFIGMAP);
    settle();
    var key = "CONFIGMAP/kube-apiserver-endpoints";
    world.store(
        "hand",
        key,
        object(key)
            .withAt(Json.of("soon"), "data", "ip-192-0-2-2-443")
            .withAt(Json.of("2026-01-01T00:00:00Z"), "data", "nonsense")
            .withAt(Json.of("2026-01-01T00:00:00Z"), "data", "ip-300-0-2-2-443"));
    world.store(
        "hand",
        "CONFIGMAP/kube-apiserver-config",
        object("CONFIGMAP/kube-apiserver-config")
            .withAt(Json.of("often"), "data", "expiration-duration"));
    world.commit(
        List.of(
            new Operation.Put(
                LeaseRecords.MASTER + "192.0.2.66",
                "junk".getBytes(StandardCharsets.UTF_8),
                Operation.ANY)));
    simulation.run(Duration.ofMinutes(3));
    assertThat(world.published()).containsExactly("192.0.2.1:6443");
  }

  @Test
  void aNewExpirationIsFollowedWhileServersRun() {
    start(1, CONFIGMAP);
    var dying = start(2, CONFIGMAP);
    settle();
    world.store(
        "hand",
        "CONFIGMAP/kube-apiserver-config",
        object("CONFIGMAP/kube-apiserver-config")
            .withAt(Json.of("10s"), "data", "expiration-duration"));
    simulation.run(Duration.ofSeconds(20));
    simulation.kill(dying);
    simulation.run(Duration.ofSeconds(19));
    assertThat(world.published()).containsExactly("192.0.2.1:6443");
    assertThat(object("CONFIGMAP/kube-apiserver-endpoints").object("data").keys())
        .containsExactlyInAnyOrder("ip-192-0-2-1-6443", "master-count");
  }

  @Test
  void masterCountKeepsTheDeadAndDropsTheLivingAsItAlwaysDid() {
    var three = LEASE.withType(ReconcilerType.MASTER_COUNT).withServerCount(3);
    start(1, three);
    start(2, three);
    var dead = start(3, three);
    settle();
    simulation.kill(dead);
    simulation.grace = Duration.ofDays(1);
    simulation.run(Duration.ofMinutes(5));
    assertThat(world.published()).hasSize(3).contains("192.0.2.3:6443");
    start(4, three);
    settle();
    assertThat(world.published()).hasSize(3).contains("192.0.2.4:6443");
    assertThat(MasterCount.subsets(null, "192.0.2.1", 1, 1).objects()).hasSize(1);
  }

  @Test
  void withTheTypeNoneOnlyTheServiceIsKept() {
    start(1, LEASE.withType(ReconcilerType.NONE));
    settle();
    assertThat(world.object(SERVICE)).isNotNull();
    assertThat(world.object(ENDPOINTS)).isNull();
    assertThat(Set.copyOf(world.slices().keySet())).isEmpty();
    simulation.quiet(Duration.ofMinutes(1));
    assertThat(simulation.wrong).isEmpty();
  }

  @Test
  void aChangedPrimaryRangeDoesNotMakeServersFight() {
    simulation.start("a", "192.0.2.1", 6443, "10.0.0.0/24", LEASE);
    simulation.start("b", "192.0.2.2", 6443, "10.9.0.0/24", LEASE);
    settle();
    simulation.quiet(Duration.ofMinutes(2));
    assertThat(simulation.wrong).isEmpty();
    assertThat(world.clusterIps().strings()).hasSize(1);
  }

  private static byte[] master(String address) {
    return ProtobufCodec.encode(
        JsonObject.of(
            "kind",
            "Endpoints",
            "apiVersion",
            "v1",
            "metadata",
            JsonObject.of("generation", 3),
            "subsets",
            JsonArray.of(JsonObject.of("addresses", JsonArray.of(JsonObject.of("ip", address))))));
  }
}
