package dev.muster.fleet.endpoints;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.fleet.endpoints.form.PlannedWrite;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.schema.protobuf.ProtobufCodec;
import dev.muster.store.Operation;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Single situations, each in a simulated world of its own. */
class ScenarioTest {
  private static final EndpointOptions LEASE = EndpointOptions.defaults();
  private static final EndpointOptions CONFIGMAP = LEASE.withType(ReconcilerType.CONFIGMAP);
  private static final String SERVICE = World.key(PlannedWrite.Kind.SERVICE, "kubernetes");
  private static final String ENDPOINTS = World.key(PlannedWrite.Kind.ENDPOINTS, "kubernetes");
  private static final String SLICE = World.key(PlannedWrite.Kind.SLICE, "kubernetes");
  private final Simulation simulation = new Simulation(5);
  private final World world = simulation.world;

  @Test
  void whatIsMissingIsMadeWithOneWriteEach() {
    simulation.start(1, LEASE);
    simulation.run(Duration.ofSeconds(1));
    assertThat(world.changes)
        .extracting(World.Change::what)
        .containsExactly(SERVICE, ENDPOINTS, SLICE);
    simulation.quiet(Duration.ofMinutes(2));
    assertThat(simulation.wrong).isEmpty();
  }

  @Test
  void aServerThatDiesIsOutWithinItsLeaseAndOneInterval() {
    simulation.start(1, LEASE);
    var dying = simulation.start(2, LEASE);
    simulation.settle();
    simulation.kill(dying);
    simulation.run(Duration.ofSeconds(26));
    assertThat(world.published()).containsExactly("192.0.2.1:6443");
  }

  @Test
  void theLastServerLeavesEmptySubsetsAndMakesNothingNew() {
    var last = simulation.start(1, LEASE);
    simulation.settle();
    simulation.stop(last);
    assertThat(world.existing(ENDPOINTS).array("subsets")).isEmpty();
    assertThat(world.existing(SLICE).array("endpoints")).isEmpty();
    assertThat(world.existing(SLICE).string("addressType")).isEqualTo("IPv4");
    assertThat(world.under(LeaseRecords.OWN)).isEmpty();
    assertThat(world.under(LeaseRecords.MASTER)).isEmpty();
    var again = simulation.start(2, LEASE);
    simulation.settle();
    world.remove("hand", ENDPOINTS);
    world.remove("hand", SERVICE);
    simulation.stop(again);
    assertThat(world.object(ENDPOINTS)).isNull();
    assertThat(world.object(SERVICE)).isNull();
  }

  @Test
  void anEmptyListOfRecordsIsNotAnEmptyFleet() {
    var server = simulation.start(1, LEASE);
    simulation.settle();
    int before = world.changes.size();
    server.eyes =
        view ->
            new EndpointsView(
                List.of(), List.of(), view.objects(), null, view.config(), view.ranges());
    simulation.run(Duration.ofSeconds(30));
    assertThat(world.changes).hasSize(before);
  }

  @Test
  void aRecordThatTheStoreForgotToExpireIsRemoved() {
    simulation.start(1, LEASE);
    simulation.settle();
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
    simulation.start("s1", "192.0.2.1,2001:db8::1", 6443, Simulation.RANGES, LEASE);
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
    simulation.start("s1", "192.0.2.1", 6443, Simulation.RANGES, LEASE);
    simulation.start("s2", "192.0.2.2", 7443, Simulation.RANGES, LEASE);
    simulation.settle();
    simulation.quiet(Duration.ofMinutes(2));
    assertThat(simulation.wrong).isEmpty();
    assertThat(world.published()).containsExactly("192.0.2.1:6443", "192.0.2.9:6443");
    assertThat(world.slices().keySet()).containsExactlyInAnyOrder("kubernetes", "kubernetes-7443");
  }

  @Test
  void anAddressSharedWithAKubeApiserverStaysWhenEitherGoes() {
    var old = simulation.startOld("192.0.2.50", 6443);
    var one = simulation.start("s1", "192.0.2.50", 6443, Simulation.RANGES, LEASE);
    simulation.settle();
    simulation.stop(old);
    assertThat(world.published()).as("what a kube-apiserver does when it goes").isEmpty();
    simulation.run(Duration.ofSeconds(1));
    assertThat(world.published()).containsExactly("192.0.2.50:6443");
    assertThat(world.under(LeaseRecords.MASTER)).hasSize(1);
    simulation.wrong.clear();
    simulation.startOld("192.0.2.50", 6443);
    simulation.settle();
    simulation.stop(one);
    simulation.settle();
    assertThat(world.published()).containsExactly("192.0.2.50:6443");
    assertThat(simulation.wrong).isEmpty();
  }

  @Test
  void loopbackIsNeverPublished() {
    simulation.start("s1", "127.0.0.1,::1", 6443, Simulation.RANGES, LEASE);
    simulation.settle();
    assertThat(world.published()).isEmpty();
    assertThat(world.clusterIps().strings()).containsExactly("10.0.0.1");
    assertThat(world.under(LeaseRecords.MASTER)).isEmpty();
  }

  @Test
  void theConfigMapHasOneEntryPerAddressAndTheirNumber() {
    simulation.start("s1", "192.0.2.1,2001:db8::1", 443, Simulation.RANGES, CONFIGMAP);
    simulation.settle();
    var data = world.existing("CONFIGMAP/kube-apiserver-endpoints").object("data");
    assertThat(data.keys())
        .containsExactlyInAnyOrder("ip-192-0-2-1-443", "ip-2001-db8--1-443", "master-count");
    assertThat(data.string("master-count")).isEqualTo("2");
    assertThat(data.string("ip-192-0-2-1-443")).matches("2026-01-01T00:00:0.*Z");
    assertThat(
            world
                .existing("CONFIGMAP/kube-apiserver-config")
                .object("data")
                .string("expiration-duration"))
        .isEqualTo("1m");
    assertThat(world.clusterIps().size()).isEqualTo(2);
  }

  @Test
  void malformedEntriesAndDurationsAreSurvived() {
    simulation.start(1, CONFIGMAP);
    simulation.settle();
    var key = "CONFIGMAP/kube-apiserver-endpoints";
    world.store(
        "hand",
        key,
        world
            .existing(key)
            .withAt(Json.of("soon"), "data", "ip-192-0-2-2-443")
            .withAt(Json.of("2026-01-01T00:00:00Z"), "data", "nonsense")
            .withAt(Json.of("2026-01-01T00:00:00Z"), "data", "ip-300-0-2-2-443"));
    world.store(
        "hand",
        "CONFIGMAP/kube-apiserver-config",
        world
            .existing("CONFIGMAP/kube-apiserver-config")
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
    simulation.start(1, CONFIGMAP);
    var dying = simulation.start(2, CONFIGMAP);
    simulation.settle();
    world.store(
        "hand",
        "CONFIGMAP/kube-apiserver-config",
        world
            .existing("CONFIGMAP/kube-apiserver-config")
            .withAt(Json.of("10s"), "data", "expiration-duration"));
    simulation.run(Duration.ofSeconds(20));
    simulation.kill(dying);
    simulation.run(Duration.ofSeconds(19));
    assertThat(world.published()).containsExactly("192.0.2.1:6443");
    assertThat(world.existing("CONFIGMAP/kube-apiserver-endpoints").object("data").keys())
        .containsExactlyInAnyOrder("ip-192-0-2-1-6443", "master-count");
  }

  @Test
  void masterCountKeepsTheDeadAndDropsTheLivingAsItAlwaysDid() {
    var three = LEASE.withType(ReconcilerType.MASTER_COUNT).withServerCount(3);
    simulation.start(1, three);
    simulation.start(2, three);
    var dead = simulation.start(3, three);
    simulation.settle();
    simulation.kill(dead);
    simulation.grace = Duration.ofDays(1);
    simulation.run(Duration.ofMinutes(5));
    assertThat(world.published()).hasSize(3).contains("192.0.2.3:6443");
    simulation.start(4, three);
    simulation.settle();
    assertThat(world.published()).hasSize(3).contains("192.0.2.4:6443");
    assertThat(MasterCount.subsets(null, "192.0.2.1", 1, 1).objects()).hasSize(1);
  }

  @Test
  void withTheTypeNoneOnlyTheServiceIsKept() {
    simulation.start(1, LEASE.withType(ReconcilerType.NONE));
    simulation.settle();
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
    simulation.settle();
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
