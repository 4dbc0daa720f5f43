package dev.muster.fleet.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.fleet.discovery.AgreeingFleet.Node;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fleets in a simulation: real replicas and writes, and a clock that the test moves. */
class AgreementTest {
  private final AgreeingFleet fleet = new AgreeingFleet();

  @AfterEach
  void close() {
    fleet.close();
  }

  @Test
  void aServerThatHasNotReportedAgreesWithNobody() {
    var alone = fleet.new Node("h", Duration.ZERO);
    assertThat(alone.consistent()).isFalse();
    alone.report();
    assertThat(alone.consistent()).isTrue();
  }

  @Test
  void equalHashesAreConsistentAndOthersAreNot() {
    var a = fleet.node("h");
    var b = fleet.node("h");
    assertThat(a.consistent()).isTrue();
    assertThat(b.consistent()).isTrue();
    var c = fleet.node("other");
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
    var a = fleet.node("h");
    var b = fleet.node("h");
    var dead = fleet.node("other");
    fleet.pass(Duration.ofMinutes(10));
    assertThat(fleet.rows()).hasSize(3);
    dead.running = false;
    fleet.pass(Duration.ofMinutes(14));
    assertThat(fleet.rows()).contains(dead.id());
    assertThat(a.consistent()).isFalse();
    fleet.pass(Duration.ofMinutes(6));
    assertThat(fleet.rows()).containsExactlyInAnyOrder(a.id(), b.id());
    assertThat(a.consistent()).isTrue();
    assertThat(b.consistent()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {-60, -5, 5, 60})
  void aServerWithAWrongClockNeitherLosesItsRowNorRemovesOthers(int minutes) {
    fleet.node("h");
    fleet.node("h");
    fleet.new Node("h", Duration.ofMinutes(minutes)).report();
    var all = fleet.rows();
    for (int i = 0; i < 8; i++) {
      fleet.pass(Duration.ofMinutes(5));
      assertThat(fleet.rows()).containsExactlyElementsOf(all);
      assertThat(fleet.nodes).allMatch(Node::consistent);
    }
  }

  @Test
  void aServerThatWasPausedRemovesNobodyWhenItWakes() {
    fleet.node("h");
    fleet.node("h");
    var paused = fleet.node("h");
    fleet.pass(Duration.ofMinutes(10));
    paused.running = false;
    fleet.pass(Duration.ofMinutes(10));
    paused.running = true;
    paused.check(Duration.ofMinutes(10));
    assertThat(paused.agreement.gone()).isEmpty();
    fleet.pass(Duration.ofMinutes(20));
    assertThat(fleet.rows()).hasSize(3);
    assertThat(fleet.nodes).allMatch(Node::consistent);
  }

  @Test
  void aServerWhoseRowWasRemovedReportsAgain() {
    var a = fleet.node("h");
    var paused = fleet.node("h");
    paused.running = false;
    fleet.pass(Duration.ofMinutes(25));
    assertThat(fleet.rows()).containsExactly(a.id());
    assertThat(paused.consistent()).isFalse();
    paused.running = true;
    fleet.pass(Duration.ofSeconds(10));
    assertThat(fleet.rows()).containsExactlyInAnyOrder(a.id(), paused.id());
    assertThat(fleet.nodes).allMatch(Node::consistent);
  }

  @Test
  void aStoreThatIsAwayForMinutesRemovesNobodyAndAfterThreePeriodsNothingIsCertain() {
    var a = fleet.node("h");
    var b = fleet.node("h");
    fleet.pass(Duration.ofMinutes(5));
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
    assertThat(fleet.rows()).containsExactly(a.id(), b.id());
  }

  @Test
  void aLivingServerWithoutARowMakesItFalseUntilItIsGone() {
    var a = fleet.node("h");
    a.server.makeNamespace("kube-system");
    a.server.createLease(fleet.oldServer());
    assertThat(a.consistent()).isFalse();
    assertThat(a.agreement.verdict().silent()).containsExactly("apiserver-old_1");
    assertThat(a.agreement.verdict().text()).contains("no hash by apiserver-old_1");
    for (int i = 0; i < 20; i++) {
      fleet.pass(Duration.ofMinutes(1));
      fleet.renewOldServer(a);
      assertThat(a.consistent()).isFalse();
    }
    fleet.pass(Duration.ofMinutes(7));
    assertThat(a.consistent()).isFalse();
    fleet.pass(Duration.ofMinutes(2));
    assertThat(a.consistent()).isTrue();
  }

  @Test
  void aServerThatDiesIsForgottenWithoutAnyDoubtAboutTheOthers() {
    var a = fleet.node("h").withLease();
    var b = fleet.node("h").withLease();
    fleet.pass(Duration.ofMinutes(11));
    for (int i = 0; i < 10; i++) {
      // Wherever between two of its heartbeats the server dies.
      var dead = fleet.node("h").withLease();
      fleet.pass(Duration.ofMinutes(5).plusSeconds(30L * i));
      assertThat(fleet.nodes).allMatch(node -> !node.running || node.consistent());
      dead.running = false;
      for (int step = 0; step < 130; step++) {
        fleet.pass(Duration.ofSeconds(10));
        assertThat(a.consistent()).as("%s", a.agreement.verdict()).isTrue();
        assertThat(b.consistent()).isTrue();
      }
      assertThat(fleet.rows()).containsExactlyInAnyOrder(a.id(), b.id());
    }
  }

  @Test
  void serversWithOtherPeriodsKeepTheirRows() {
    fleet.node("h");
    fleet.new Node("h", Duration.ZERO, Duration.ofSeconds(10)).report();
    fleet.new Node("h", Duration.ZERO, Duration.ofHours(1)).report().withLease();
    fleet.pass(Duration.ofSeconds(20));
    var all = fleet.rows();
    for (int i = 0; i < 12; i++) {
      fleet.pass(Duration.ofMinutes(10));
      assertThat(fleet.rows()).containsExactlyElementsOf(all);
      assertThat(fleet.nodes)
          .allMatch(Node::consistent)
          .allMatch(one -> one.agreement.gone().isEmpty());
    }
  }

  @Test
  void aDeadServersRowGoesAfterThreeOfItsOwnPeriods() {
    fleet.node("h");
    var slow = fleet.new Node("h", Duration.ZERO, Duration.ofMinutes(20)).report().withLease();
    var quick = fleet.new Node("h", Duration.ZERO, Duration.ofSeconds(10)).report();
    fleet.pass(Duration.ofMinutes(20));
    slow.running = false;
    quick.running = false;
    fleet.pass(Duration.ofMinutes(1));
    assertThat(fleet.rows()).contains(slow.id()).doesNotContain(quick.id());
    fleet.pass(Duration.ofMinutes(55));
    assertThat(fleet.rows()).contains(slow.id());
    fleet.pass(Duration.ofMinutes(6));
    assertThat(fleet.rows()).doesNotContain(slow.id());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 300})
  void whoeverDiesNobodyDoubtsTheOthersWhateverItsPeriod(int seconds) {
    var a = fleet.node("h").withLease();
    var b = fleet.new Node("h", Duration.ZERO, Duration.ofHours(1)).report().withLease();
    var dead = fleet.new Node("h", Duration.ZERO, Duration.ofSeconds(seconds)).report().withLease();
    fleet.pass(Duration.ofMinutes(6));
    dead.running = false;
    for (int step = 0; step < 130; step++) {
      fleet.pass(AgreeingFleet.STEP);
      assertThat(a.consistent()).as("%s", a.agreement.verdict()).isTrue();
      assertThat(b.consistent()).as("%s", b.agreement.verdict()).isTrue();
    }
    assertThat(fleet.rows()).containsExactlyInAnyOrder(a.id(), b.id());
  }

  @Test
  void aServerThatStartsLongAfterACrashAgreesAtOnce() {
    fleet.node("h").withLease();
    var crashed = fleet.node("other").withLease();
    fleet.pass(Duration.ofMinutes(5));
    crashed.running = false;
    fleet.pass(Duration.ofMinutes(20));
    assertThat(fleet.rows()).doesNotContain(crashed.id());
    var newcomer = fleet.node("h");
    assertThat(newcomer.consistent()).as("%s", newcomer.agreement.verdict()).isTrue();
    newcomer.withLease();
    for (int i = 0; i < 10; i++) {
      fleet.pass(AgreeingFleet.STEP);
      assertThat(fleet.nodes).allMatch(one -> !one.running || one.consistent());
    }
  }

  @Test
  void aLivingServerWhoseRowIsTakenAwayByHandIsMissed() {
    var a = fleet.node("h").withLease();
    var b = fleet.node("other").withLease();
    fleet.pass(Duration.ofMinutes(1));
    b.running = false;
    a.server
        .objects()
        .change(HashRows.RESOURCE, "", HashRows.NAME, live -> HashRows.without(live, b.id()));
    assertThat(a.consistent()).isFalse();
    assertThat(a.agreement.verdict().silent()).containsExactly(b.id());
  }

  @Test
  void aLeaseWithoutRowThatWasDeletedCountsNoMore() {
    var a = fleet.node("h");
    a.server.makeNamespace("kube-system");
    a.server.createLease(fleet.oldServer());
    assertThat(a.consistent()).isFalse();
    a.server.objects().delete(AgreementServer.LEASES, a.server.leases("kube-system").getFirst());
    assertThat(a.consistent()).isTrue();
  }

  /** What a user with the right to it writes in place of the rows of servers. */
  private void write(Node through, int rows) {
    through
        .server
        .objects()
        .change(
            HashRows.RESOURCE,
            "",
            HashRows.NAME,
            live ->
                Objects.requireNonNull(live)
                    .with(
                        "hashes",
                        JsonArray.of(
                            IntStream.range(0, rows)
                                .mapToObj(
                                    i ->
                                        JsonObject.of(
                                            "apiServerID",
                                            "stranger-" + i,
                                            "builtInAPIHash",
                                            "x",
                                            "lastHeartbeatTime",
                                            "2100-01-01T00:00:00Z",
                                            "heartbeatPeriodSeconds",
                                            3600))
                                .toList())));
  }

  @Test
  void rowsWithoutLeasesKeepNoServerOutAndGoAfterAQuarterOfAnHour() {
    var a = fleet.node("h").withLease();
    var b = fleet.node("h").withLease();
    fleet.pass(Duration.ofMinutes(1));
    write(a, HashRows.MOST);
    assertThat(fleet.rows()).hasSize(HashRows.MOST).doesNotContain(a.id(), b.id());
    fleet.pass(Duration.ofSeconds(20));
    assertThat(fleet.rows()).hasSize(HashRows.MOST).contains(a.id(), b.id());
    assertThat(a.agreement.withoutLease()).hasSize(HashRows.MOST - 2);
    assertThat(a.consistent()).isFalse();
    var stranger = fleet.new Node("h", Duration.ZERO);
    fleet.pass(Duration.ofSeconds(20));
    assertThat(fleet.rows()).hasSize(HashRows.MOST).contains(a.id(), b.id(), stranger.id());
    fleet.pass(Duration.ofMinutes(15));
    assertThat(fleet.rows()).containsExactlyInAnyOrder(a.id(), b.id(), stranger.id());
    assertThat(fleet.nodes).allMatch(Node::consistent);
  }

  @Test
  void aRowMakesNoRoomForItselfAmongServersWithALease() {
    var spare = List.of("s1", "s2");
    var rows = new ArrayList<JsonObject>();
    for (int i = 0; i < HashRows.MOST - 1; i++) {
      rows.add(JsonObject.of("apiServerID", "leased-" + i));
    }
    rows.add(JsonObject.of("apiServerID", "s1", "heartbeatPeriodSeconds", 86_400));
    var full = JsonObject.of("hashes", JsonArray.of(rows));
    var now = Instant.parse("2026-01-01T00:00:00Z");
    var period = Duration.ofMinutes(5);
    var renewed = HashRows.with(full, "leased-7", "h", now, period, Set.of(), spare);
    assertThat(HashRows.read(renewed))
        .hasSize(HashRows.MOST)
        .last()
        .isEqualTo(new HashRows.Row("s1", "", "", Duration.ofHours(1)));
    var joined = HashRows.with(full, "new", "h", now, period, Set.of(), spare);
    assertThat(HashRows.read(joined))
        .hasSize(HashRows.MOST)
        .extracting(HashRows.Row::server)
        .contains("new", "leased-0")
        .doesNotContain("s1");
    assertThat(HashRows.read(HashRows.with(joined, "more", "h", now, period, Set.of(), List.of())))
        .as("the API refuses that, and every row stays")
        .hasSize(HashRows.MOST + 1);
  }
}
