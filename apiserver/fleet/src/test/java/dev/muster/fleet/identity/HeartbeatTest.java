package dev.muster.fleet.identity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.fleet.TestClock;
import dev.muster.fleet.TestServer;
import dev.muster.model.GroupVersionResource;
import dev.muster.model.identity.IdentityLease;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.store.MemoryStore;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HeartbeatTest {
  private static final IdentityOptions OPTIONS = IdentityOptions.defaults();
  private static final String NAMESPACE = OPTIONS.namespace();
  private static final GroupVersionResource LEASES =
      new GroupVersionResource("coordination.k8s.io", "v1", "leases");

  private final MemoryStore store = new MemoryStore();
  private final TestClock clock = TestClock.create();
  private final TestServer server = new TestServer(store, clock);
  private final List<ServerId> announced = new ArrayList<>();

  @AfterEach
  void close() {
    server.close();
    store.close();
  }

  /** One server's heart, and who it says it is. */
  private record Member(ServerIdentity identity, Heartbeat heart, PrometheusRegistry metrics) {}

  private Member member(String hostname, long pid, RandomGenerator random, Clock time) {
    return member(hostname, pid, random, time, OPTIONS);
  }

  private Member member(
      String hostname, long pid, RandomGenerator random, Clock time, IdentityOptions options) {
    var identity = new ServerIdentity(hostname, pid, random);
    var metrics = new PrometheusRegistry();
    var heart =
        new Heartbeat(
            server.objects(),
            identity,
            options,
            time,
            new IdentityMetrics(metrics, identity, time),
            () -> new OwnLease.Presence("192.0.2.1:6443", "192.0.2.1:6443", "h"),
            announced::add);
    return new Member(identity, heart, metrics);
  }

  private Member member() {
    return member("host", 7, new Random(7), clock);
  }

  private List<IdentityLease> leases() {
    return server.leases(NAMESPACE).stream().map(IdentityLease::read).toList();
  }

  @Test
  void makesTheNamespaceAndALeaseWithTheRightLabels() {
    var member = member();
    assertThat(member.heart().beat()).isEqualTo(Duration.ofSeconds(10));
    var lease = server.leases(NAMESPACE).getFirst();
    var id = member.identity().id();
    assertThat(lease.object("metadata").string("name")).isEqualTo(id.leaseName());
    assertThat(lease.object("metadata").object("labels").strings())
        .containsEntry("apiserver.kubernetes.io/identity", "kube-apiserver")
        .containsEntry("kubernetes.io/hostname", "host");
    var read = IdentityLease.read(lease);
    assertThat(read.holder()).isEqualTo(id.toString());
    assertThat(read.duration()).isEqualTo(Duration.ofHours(1));
    assertThat(read.interval()).isEqualTo(Duration.ofSeconds(10));
    assertThat(read.renewed()).isEqualTo(clock.instant());
    assertThat(announced).containsExactly(id);
  }

  @Test
  void renewsTheSameLease() {
    var member = member();
    member.heart().beat();
    var before = leases().getFirst();
    clock.advance(Duration.ofSeconds(10));
    member.heart().beat();
    assertThat(leases()).hasSize(1);
    assertThat(leases().getFirst().uid()).isEqualTo(before.uid());
    assertThat(leases().getFirst().renewed()).isEqualTo(clock.instant());
    assertThat(leases().getFirst().acquired()).isEqualTo(before.acquired());
  }

  @Test
  void aConflictIsTriedAgainAtOnce() {
    var member = member();
    member.heart().beat();
    clock.advance(Duration.ofSeconds(10));
    server.link().beforeNextCommit(() -> label("touched", "yes"));
    assertThat(member.heart().beat()).isEqualTo(Duration.ofSeconds(10));
    assertThat(leases().getFirst().renewed()).isEqualTo(clock.instant());
    assertThat(server.leases(NAMESPACE).getFirst().object("metadata").object("labels").strings())
        .containsEntry("touched", "yes");
  }

  @Test
  void fiveFailuresInARowAreTriedAgainSoonAndCounted() {
    var member = member();
    member.heart().beat();
    var renewed = leases().getFirst().renewed();
    server.link().failCommits(5);
    var pauses = new ArrayList<Duration>();
    for (int i = 0; i < 5; i++) {
      clock.advance(Duration.ofSeconds(10));
      pauses.add(member.heart().beat());
    }
    assertThat(leases().getFirst().renewed()).isEqualTo(renewed);
    assertThat(pauses).isSorted().allMatch(pause -> pause.compareTo(Duration.ofSeconds(10)) <= 0);
    assertThat(pauses.getFirst()).isLessThan(Duration.ofSeconds(1));
    assertThat(member.heart().beat()).isEqualTo(Duration.ofSeconds(10));
    assertThat(leases().getFirst().renewed()).isEqualTo(clock.instant());
    assertThat(member.metrics().scrape(name -> name.endsWith("heartbeat_failures")).stream())
        .singleElement()
        .satisfies(snapshot -> assertThat(snapshot.getDataPoints().toString()).isNotEmpty());
  }

  @Test
  void aStoreThatIsAwayForMinutesCostsNothingButTime() {
    var member = member();
    member.heart().beat();
    var before = leases().getFirst();
    server.link().cut();
    for (int i = 0; i < 20; i++) {
      clock.advance(Duration.ofSeconds(10));
      assertThat(member.heart().beat()).isLessThanOrEqualTo(Duration.ofSeconds(10));
    }
    server.link().mend();
    member.heart().beat();
    assertThat(leases()).hasSize(1);
    assertThat(leases().getFirst().uid()).isEqualTo(before.uid());
    assertThat(leases().getFirst().renewed()).isEqualTo(clock.instant());
  }

  @Test
  void anErrorIsAFailedBeatAndNotTheLast() {
    var member = member();
    member.heart().beat();
    clock.advance(Duration.ofSeconds(10));
    server
        .link()
        .beforeNextCommit(
            () -> {
              throw new StackOverflowError("of the test");
            });
    assertThat(member.heart().beat()).isLessThan(Duration.ofSeconds(10));
    assertThat(member.heart().beat()).isEqualTo(Duration.ofSeconds(10));
    assertThat(leases().getFirst().renewed()).isEqualTo(clock.instant());
  }

  @Test
  void aLeaseIsWithdrawnThoughOthersChangeItMeanwhile() {
    var member = member();
    member.heart().beat();
    server.link().beforeNextCommit(() -> label("touched", "yes"));
    member.heart().withdraw();
    assertThat(leases()).isEmpty();
    member.heart().withdraw();
  }

  @Test
  void aLeaseThatIsAnothersByNowIsNotWithdrawn() {
    var member = member();
    member.heart().beat();
    var lease = server.leases(NAMESPACE).getFirst();
    server.objects().delete(LEASES, lease);
    server.createLease(
        lease.with(
            "metadata",
            JsonObject.of(
                "name", lease.object("metadata").string("name"), "namespace", NAMESPACE)));
    member.heart().withdraw();
    assertThat(leases()).hasSize(1);
  }

  @Test
  void twoServersWithOneHostnameInOneProcessHaveTwoLeases() {
    var random = new Random(3);
    var first = member("host", 7, random, clock);
    var second = member("host", 7, random, clock);
    first.heart().beat();
    second.heart().beat();
    clock.advance(Duration.ofSeconds(10));
    first.heart().beat();
    second.heart().beat();
    assertThat(leases())
        .extracting(IdentityLease::holder)
        .containsExactlyInAnyOrder(
            first.identity().id().toString(), second.identity().id().toString());
  }

  @Test
  void aNameThatIsTakenIsLeftToItsOwner() {
    var first = member("host", 7, new Random(5), clock);
    var same = member("host", 7, new Random(5), clock);
    var inCapitals = member("HOST", 7, new Random(5), clock);
    assertThat(same.identity().id()).isEqualTo(first.identity().id());
    for (var member : List.of(first, same, inCapitals)) {
      member.heart().beat();
    }
    assertThat(leases())
        .extracting(IdentityLease::holder)
        .containsExactlyInAnyOrder(
            first.identity().id().toString(),
            same.identity().id().toString(),
            inCapitals.identity().id().toString())
        .doesNotHaveDuplicates();
    assertThat(announced).contains(inCapitals.identity().id());
  }

  @Test
  void aLeaseThatWasDeletedComesBackUnderTheSameId() {
    var member = member();
    member.heart().beat();
    var id = member.identity().id();
    server.objects().delete(LEASES, server.leases(NAMESPACE).getFirst());
    clock.advance(Duration.ofSeconds(10));
    member.heart().beat();
    assertThat(leases()).extracting(IdentityLease::holder).containsExactly(id.toString());
    assertThat(member.identity().id()).isEqualTo(id);
  }

  @Test
  void whatWasEditedByHandIsRepaired() {
    var member = member();
    member.heart().beat();
    label("apiserver.kubernetes.io/identity", "somebody");
    server
        .objects()
        .change(
            LEASES,
            NAMESPACE,
            member.identity().id().leaseName(),
            lease -> lease == null ? null : lease.withAt(Json.of("x"), "spec", "holderIdentity"));
    clock.advance(Duration.ofSeconds(10));
    member.heart().beat();
    assertThat(leases().getFirst().holder()).isEqualTo(member.identity().id().toString());
    assertThat(server.leases(NAMESPACE).getFirst().object("metadata").object("labels").strings())
        .containsEntry("apiserver.kubernetes.io/identity", "kube-apiserver");
  }

  @Test
  void aServerThatLeavesTakesItsLeaseAlong() {
    var random = new Random(3);
    var staying = member("host", 7, random, clock);
    var leaving = member("host", 7, random, clock);
    staying.heart().beat();
    leaving.heart().beat();
    leaving.heart().withdraw();
    assertThat(leases())
        .extracting(IdentityLease::holder)
        .containsExactly(staying.identity().id().toString());
  }

  @Test
  void aPausedServerRenewsWhatItHadBefore() {
    var member = member();
    member.heart().beat();
    var uid = leases().getFirst().uid();
    clock.advance(Duration.ofMinutes(30));
    assertThat(leases().getFirst().expired(clock.instant())).isFalse();
    member.heart().beat();
    assertThat(leases().getFirst().uid()).isEqualTo(uid);
    assertThat(leases().getFirst().renewed()).isEqualTo(clock.instant());
  }

  @Test
  void aWrongClockShowsInItsOwnLeaseOnly() {
    var right = member("a", 1, new Random(1), clock);
    var wrong = member("b", 1, new Random(2), clock.skewed(Duration.ofHours(-1)));
    right.heart().beat();
    wrong.heart().beat();
    assertThat(leases())
        .extracting(IdentityLease::renewed)
        .containsExactly(clock.instant(), clock.instant().minus(Duration.ofHours(1)));
  }

  @Test
  void inUpstreamsNamespaceItLeavesUpstreamsLeasesAlone() {
    server.makeNamespace("kube-system");
    server.createLease(upstreams());
    var before = server.leases("kube-system").getFirst();
    var ours =
        member(
            "test-server-a", 7, new Random(1), clock, new IdentityOptions("kube-system", 10, 3600));
    for (int i = 0; i < 3; i++) {
      ours.heart().beat();
      clock.advance(Duration.ofSeconds(10));
    }
    assertThat(server.leases("kube-system")).hasSize(2).contains(before);
    ours.heart().withdraw();
    assertThat(server.leases("kube-system")).containsExactly(before);
  }

  @Test
  void readsUpstreamsLeasesAsTheyAre() {
    server.makeNamespace("kube-system");
    server.createLease(upstreams());
    var read = IdentityLease.read(server.leases("kube-system").getFirst());
    assertThat(read.hostname()).isEqualTo("test-server-a");
    assertThat(read.holder()).startsWith("apiserver-tcwjsvs6hjq4qbwzx5rvp5fsqe_");
    assertThat(read.interval()).isEqualTo(Duration.ofSeconds(10));
    assertThat(read.renewed()).isEqualTo(Instant.parse("2026-11-15T08:59:55.123456Z"));
    assertThat(read.expired(clock.instant())).isFalse();
  }

  private static JsonObject upstreams() {
    return JsonObject.of(
        "apiVersion",
        "coordination.k8s.io/v1",
        "kind",
        "Lease",
        "metadata",
        JsonObject.of(
            "name",
            "apiserver-tcwjsvs6hjq4qbwzx5rvp5fsqe",
            "namespace",
            "kube-system",
            "labels",
            JsonObject.of(
                "apiserver.kubernetes.io/identity",
                "kube-apiserver",
                "kubernetes.io/hostname",
                "test-server-a")),
        "spec",
        JsonObject.of(
            "holderIdentity",
            "apiserver-tcwjsvs6hjq4qbwzx5rvp5fsqe_0e1c9f6e-7a0f-4e0b-9d6b-0c7a3b1d2e4f",
            "leaseDurationSeconds",
            3600,
            "renewTime",
            "2026-11-15T08:59:55.123456Z"));
  }

  private void label(String key, String value) {
    var name = server.leases(NAMESPACE).getFirst().object("metadata").string("name");
    server
        .objects()
        .change(
            LEASES,
            NAMESPACE,
            name,
            lease ->
                lease == null ? null : lease.withAt(Json.of(value), "metadata", "labels", key));
  }
}
