package dev.muster.fleet.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.fleet.TestClock;
import dev.muster.fleet.TestServer;
import dev.muster.fleet.identity.FleetMembers;
import dev.muster.fleet.identity.IdentityLease;
import dev.muster.fleet.identity.IdentityOptions;
import dev.muster.fleet.identity.ServerIdentity;
import dev.muster.fleet.observation.ObservedTime;
import dev.muster.model.GroupVersionResource;
import dev.muster.model.Timestamps;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.store.MemoryStore;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fleets in a simulation: real replicas and writes, and a clock that the test moves. */
class AgreementTest {
  private static final Duration STEP = Duration.ofSeconds(10);
  private static final DiscoveryHashOptions OPTIONS = DiscoveryHashOptions.defaults();
  private static final IdentityOptions IDENTITY = IdentityOptions.defaults();
  private static final GroupVersionResource LEASES =
      new GroupVersionResource("coordination.k8s.io", "v1", "leases");

  private final MemoryStore store = new MemoryStore();
  private final TestClock clock = TestClock.create();
  private final List<Node> nodes = new ArrayList<>();

  /** One server of the fleet. */
  private final class Node {
    private final TestServer server;
    private final ServerIdentity identity = ServerIdentity.create();
    private final Agreement agreement;
    private final HashReporter reporter;
    private final Clock time;
    private final String hash;
    private final Duration period;
    private Duration now = Duration.ZERO;
    private boolean running = true;
    private boolean leased;

    Node(String hash, Duration skew) {
      this(hash, skew, OPTIONS.period());
    }

    Node(String hash, Duration skew, Duration period) {
      this.hash = hash;
      this.period = period;
      time = clock.skewed(skew);
      server = new TestServer(store, time);
      var members = new FleetMembers(server.replica(), IDENTITY, time);
      agreement =
          new Agreement(
              server.replica(),
              members,
              identity,
              () -> hash,
              new DiscoveryHashOptions(period),
              new ObservedTime(STEP, STEP.multipliedBy(2)));
      reporter = new HashReporter(server.objects(), () -> hash, time, period, agreement::gone);
      nodes.add(this);
    }

    Node report() {
      reporter.report(identity.id());
      return this;
    }

    void look(Duration elapsed) {
      server.leases("default");
      // Mostly it is, and to wait starts a thread each time.
      if (!server.replica().ready()) {
        await().pollInterval(Duration.ofMillis(2)).until(server.replica()::ready);
      }
      now = now.plus(elapsed);
      agreement.evaluate(now, now);
    }

    /** Time goes by in which the store is out of reach. */
    void lookBlindly(Duration elapsed) {
      var before = now;
      now = now.plus(elapsed);
      agreement.evaluate(now, before);
      now = before;
    }

    boolean consistent() {
      look(Duration.ZERO);
      return agreement.answer().orElseThrow();
    }

    /** Keeps an identity Lease from now on, renewed with every step. */
    Node withLease() {
      server.makeNamespace(IDENTITY.namespace());
      server.createLease(
          lease(IDENTITY.namespace(), identity.id().leaseName(), id())
              .withAt(Json.of(hash), "metadata", "annotations", IdentityLease.HASH));
      leased = true;
      return this;
    }

    String id() {
      return identity.id().toString();
    }
  }

  @AfterEach
  void close() {
    nodes.forEach(node -> node.server.close());
    store.close();
  }

  private Node node(String hash) {
    return new Node(hash, Duration.ZERO).report();
  }

  private List<String> rows() {
    return HashRows.read(
            nodes.getFirst().server.objects().readLatest(HashRows.RESOURCE, "", HashRows.NAME))
        .stream()
        .map(HashRows.Row::server)
        .toList();
  }

  /** Time goes by in steps of ten seconds; those who run look, and report every five minutes. */
  private void pass(Duration time) {
    for (long i = 0; i < time.toSeconds() / 10; i++) {
      clock.advance(Duration.ofSeconds(10));
      for (var node : nodes) {
        if (!node.running) {
          continue;
        }
        if (node.leased) {
          renew(node, IDENTITY.namespace(), node.identity.id().leaseName());
        }
        node.look(Duration.ofSeconds(10));
        if (clock.instant().getEpochSecond() % node.period.toSeconds() == 0
            || !node.agreement.gone().isEmpty()
            || !node.agreement.verdict().joined()) {
          node.report();
        }
      }
    }
  }

  @Test
  void aServerThatHasNotReportedAgreesWithNobody() {
    var alone = new Node("h", Duration.ZERO);
    assertThat(alone.consistent()).isFalse();
    alone.report();
    assertThat(alone.consistent()).isTrue();
  }

  @Test
  void equalHashesAreConsistentAndOthersAreNot() {
    var a = node("h");
    var b = node("h");
    assertThat(a.consistent()).isTrue();
    assertThat(b.consistent()).isTrue();
    var c = node("other");
    for (var each : List.of(a, b, c)) {
      assertThat(each.consistent()).isFalse();
      assertThat(each.agreement.verdict().servers())
          .containsEntry("other", List.of(c.id()))
          .hasSize(2);
      assertThat(each.agreement.verdict().text()).contains("other by " + c.id());
    }
    c.reporter.withdraw();
    assertThat(a.consistent()).isTrue();
  }

  @Test
  void aRowThatMissesThreePeriodsIsRemovedByAnyServer() {
    var a = node("h");
    var b = node("h");
    var dead = node("other");
    pass(Duration.ofMinutes(10));
    assertThat(rows()).hasSize(3);
    dead.running = false;
    pass(Duration.ofMinutes(14));
    assertThat(rows()).contains(dead.id());
    assertThat(a.consistent()).isFalse();
    pass(Duration.ofMinutes(6));
    assertThat(rows()).containsExactlyInAnyOrder(a.id(), b.id());
    assertThat(a.consistent()).isTrue();
    assertThat(b.consistent()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {-60, -5, 5, 60})
  void aServerWithAWrongClockNeitherLosesItsRowNorRemovesOthers(int minutes) {
    node("h");
    node("h");
    new Node("h", Duration.ofMinutes(minutes)).report();
    var all = rows();
    for (int i = 0; i < 8; i++) {
      pass(Duration.ofMinutes(5));
      assertThat(rows()).containsExactlyElementsOf(all);
      assertThat(nodes).allMatch(Node::consistent);
    }
  }

  @Test
  void aServerThatWasPausedRemovesNobodyWhenItWakes() {
    node("h");
    node("h");
    var paused = node("h");
    pass(Duration.ofMinutes(10));
    paused.running = false;
    pass(Duration.ofMinutes(10));
    paused.running = true;
    paused.look(Duration.ofMinutes(10));
    assertThat(paused.agreement.gone()).isEmpty();
    pass(Duration.ofMinutes(20));
    assertThat(rows()).hasSize(3);
    assertThat(nodes).allMatch(Node::consistent);
  }

  @Test
  void aServerWhoseRowWasRemovedReportsAgain() {
    var a = node("h");
    var paused = node("h");
    paused.running = false;
    pass(Duration.ofMinutes(25));
    assertThat(rows()).containsExactly(a.id());
    assertThat(paused.consistent()).isFalse();
    paused.running = true;
    pass(Duration.ofSeconds(10));
    assertThat(rows()).containsExactlyInAnyOrder(a.id(), paused.id());
    assertThat(nodes).allMatch(Node::consistent);
  }

  @Test
  void aStoreThatIsAwayForMinutesRemovesNobodyAndAfterThreePeriodsNothingIsCertain() {
    var a = node("h");
    var b = node("h");
    pass(Duration.ofMinutes(5));
    b.server.link().cut();
    await().until(() -> !b.server.replica().ready());
    b.lookBlindly(Duration.ofMinutes(14));
    assertThat(b.agreement.answer()).contains(true);
    b.lookBlindly(Duration.ofMinutes(15));
    assertThat(b.agreement.answer()).contains(false);
    b.server.link().mend();
    await().until(() -> b.server.replica().ready());
    assertThat(b.consistent()).isTrue();
    assertThat(b.agreement.gone()).isEmpty();
    assertThat(rows()).containsExactly(a.id(), b.id());
  }

  @Test
  void aLivingServerWithoutARowMakesItFalseUntilItIsGone() {
    var a = node("h");
    a.server.makeNamespace("kube-system");
    a.server.createLease(oldServer());
    assertThat(a.consistent()).isFalse();
    assertThat(a.agreement.verdict().silent()).containsExactly("apiserver-old_1");
    assertThat(a.agreement.verdict().text()).contains("no hash by apiserver-old_1");
    for (int i = 0; i < 20; i++) {
      pass(Duration.ofMinutes(1));
      renewOldServer(a);
      assertThat(a.consistent()).isFalse();
    }
    pass(Duration.ofMinutes(7));
    assertThat(a.consistent()).isFalse();
    pass(Duration.ofMinutes(2));
    assertThat(a.consistent()).isTrue();
  }

  @Test
  void aServerThatDiesIsForgottenWithoutAnyDoubtAboutTheOthers() {
    var a = node("h").withLease();
    var b = node("h").withLease();
    pass(Duration.ofMinutes(11));
    for (int i = 0; i < 10; i++) {
      // Wherever between two of its heartbeats the server dies.
      var dead = node("h").withLease();
      pass(Duration.ofMinutes(5).plusSeconds(30L * i));
      assertThat(nodes).allMatch(node -> !node.running || node.consistent());
      dead.running = false;
      for (int step = 0; step < 130; step++) {
        pass(Duration.ofSeconds(10));
        assertThat(a.consistent()).as("%s", a.agreement.verdict()).isTrue();
        assertThat(b.consistent()).isTrue();
      }
      assertThat(rows()).containsExactlyInAnyOrder(a.id(), b.id());
    }
  }

  @Test
  void serversWithOtherPeriodsKeepTheirRows() {
    node("h");
    new Node("h", Duration.ZERO, Duration.ofSeconds(10)).report();
    new Node("h", Duration.ZERO, Duration.ofHours(1)).report();
    pass(Duration.ofSeconds(20));
    var all = rows();
    for (int i = 0; i < 12; i++) {
      pass(Duration.ofMinutes(10));
      assertThat(rows()).containsExactlyElementsOf(all);
      assertThat(nodes).allMatch(Node::consistent).allMatch(one -> one.agreement.gone().isEmpty());
    }
  }

  @Test
  void aDeadServersRowGoesAfterThreeOfItsOwnPeriods() {
    node("h");
    var slow = new Node("h", Duration.ZERO, Duration.ofMinutes(20)).report();
    var quick = new Node("h", Duration.ZERO, Duration.ofSeconds(10)).report();
    pass(Duration.ofMinutes(20));
    slow.running = false;
    quick.running = false;
    pass(Duration.ofMinutes(1));
    assertThat(rows()).contains(slow.id()).doesNotContain(quick.id());
    pass(Duration.ofMinutes(55));
    assertThat(rows()).contains(slow.id());
    pass(Duration.ofMinutes(6));
    assertThat(rows()).doesNotContain(slow.id());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 300})
  void whoeverDiesNobodyDoubtsTheOthersWhateverItsPeriod(int seconds) {
    var a = node("h").withLease();
    var b = new Node("h", Duration.ZERO, Duration.ofHours(1)).report().withLease();
    var dead = new Node("h", Duration.ZERO, Duration.ofSeconds(seconds)).report().withLease();
    pass(Duration.ofMinutes(6));
    dead.running = false;
    for (int step = 0; step < 130; step++) {
      pass(STEP);
      assertThat(a.consistent()).as("%s", a.agreement.verdict()).isTrue();
      assertThat(b.consistent()).as("%s", b.agreement.verdict()).isTrue();
    }
    assertThat(rows()).containsExactlyInAnyOrder(a.id(), b.id());
  }

  @Test
  void aServerThatStartsLongAfterACrashAgreesAtOnce() {
    node("h").withLease();
    var crashed = node("other").withLease();
    pass(Duration.ofMinutes(5));
    crashed.running = false;
    pass(Duration.ofMinutes(20));
    assertThat(rows()).doesNotContain(crashed.id());
    var newcomer = node("h");
    assertThat(newcomer.consistent()).as("%s", newcomer.agreement.verdict()).isTrue();
    newcomer.withLease();
    for (int i = 0; i < 10; i++) {
      pass(STEP);
      assertThat(nodes).allMatch(one -> !one.running || one.consistent());
    }
  }

  @Test
  void aLivingServerWhoseRowIsTakenAwayByHandIsMissed() {
    var a = node("h").withLease();
    var b = node("other").withLease();
    pass(Duration.ofMinutes(1));
    b.running = false;
    a.server
        .objects()
        .change(HashRows.RESOURCE, "", HashRows.NAME, live -> HashRows.without(live, b.id()));
    assertThat(a.consistent()).isFalse();
    assertThat(a.agreement.verdict().silent()).containsExactly(b.id());
  }

  @Test
  void aLeaseWithoutRowThatWasDeletedCountsNoMore() {
    var a = node("h");
    a.server.makeNamespace("kube-system");
    a.server.createLease(oldServer());
    assertThat(a.consistent()).isFalse();
    a.server.objects().delete(LEASES, a.server.leases("kube-system").getFirst());
    assertThat(a.consistent()).isTrue();
  }

  private JsonObject oldServer() {
    return lease("kube-system", "apiserver-old", "apiserver-old_1");
  }

  private JsonObject lease(String namespace, String name, String holder) {
    return JsonObject.of(
        "apiVersion",
        "coordination.k8s.io/v1",
        "kind",
        "Lease",
        "metadata",
        JsonObject.of(
            "name",
            name,
            "namespace",
            namespace,
            "labels",
            JsonObject.ofStrings(Map.of(IdentityLease.LABEL, IdentityLease.LABEL_VALUE))),
        "spec",
        JsonObject.of(
            "holderIdentity",
            holder,
            "leaseDurationSeconds",
            3600,
            "renewTime",
            Timestamps.formatMicro(clock.instant())));
  }

  private void renewOldServer(Node through) {
    renew(through, "kube-system", "apiserver-old");
  }

  private void renew(Node through, String namespace, String name) {
    through
        .server
        .objects()
        .change(
            LEASES,
            namespace,
            name,
            lease ->
                lease == null
                    ? null
                    : lease.withAt(
                        Json.of(Timestamps.formatMicro(clock.instant())), "spec", "renewTime"));
  }
}
