package dev.muster.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.testing.EtcdCluster;
import dev.muster.testing.EtcdProcess;
import dev.muster.testing.LogLines;
import dev.muster.testing.NeedsProgram;
import dev.muster.testing.StoreFixture;
import dev.muster.testing.TcpProxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Members that stop to answer, on three real ones. One attempt may take much longer than a test, so
 * that only a probe finds out in time.
 */
@Tag("slow")
@NeedsProgram(value = "etcd", from = "3.4")
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EtcdFailoverTest {
  /** Much shorter than an attempt, and than what it takes to notice a dead connection. */
  private static final Duration SOON = Duration.ofSeconds(12);

  private EtcdCluster etcd;
  private int stores;

  @BeforeAll
  void start(@TempDir Path folder) {
    etcd = EtcdCluster.start(folder, 3);
  }

  @AfterAll
  void stop() {
    etcd.close();
  }

  @Test
  void leavesAFollowerThatIsPaused() throws Exception {
    var follower = etcd.members().stream().filter(m -> !m.isLeader()).findFirst().orElseThrow();
    try (var log = LogLines.of("dev.muster.store.etcd")) {
      outlives(follower);
      assertThat(log.all())
          .anyMatch(
              line ->
                  line.startsWith(
                      "WARN etcd at " + follower.endpoint() + " does not answer (no answer for "));
    }
  }

  @Test
  void leavesALeaderThatIsPaused() throws Exception {
    outlives(etcd.leader().orElseThrow());
  }

  @Test
  void goesOnAtAFollowerWhoseLeaderIsPaused() throws Exception {
    var leader = etcd.leader().orElseThrow();
    var follower = etcd.members().stream().filter(m -> m != leader).findFirst().orElseThrow();
    outlives(follower, leader, EtcdProcess::pause, EtcdProcess::resume);
  }

  @Test
  void leavesAMemberThatIsKilled() throws Exception {
    var leader = etcd.leader().orElseThrow();
    outlives(leader, leader, EtcdProcess::kill, EtcdProcess::start);
  }

  @Test
  void leavesAMemberBehindANetworkThatSwallowsEverything() throws Exception {
    var cut = etcd.member(0);
    try (var proxy = new TcpProxy(cut.endpoint());
        var store = open(endpoints(proxy.endpoint(), cut));
        var load = new TruthfulLoad(store)) {
      load.awaitCommits(50);
      proxy.swallowRequests(true);
      proxy.swallowAnswers(true);
      load.awaitCommits(50, SOON);
      load.stopAndCheck();
    }
  }

  @Test
  void staysWhileNoMemberAnswers() throws Exception {
    var first = etcd.member(0);
    try (var log = LogLines.of("dev.muster.store.etcd");
        var store = open(endpoints(first.endpoint(), first));
        var load = new TruthfulLoad(store)) {
      load.awaitCommits(50);
      etcd.members().forEach(EtcdProcess::pause);
      await().until(store::isAway);
      etcd.members().forEach(EtcdProcess::resume);
      etcd.awaitReady();
      load.awaitCommits(50);
      assertThat(store.isAway()).isFalse();
      load.stopAndCheck();
      assertThat(log.all())
          .filteredOn(line -> line.startsWith("WARN etcd does not answer: waiting for "))
          .hasSize(1)
          .first()
          .asString()
          .contains(etcd.endpoints())
          .contains("no answer in time")
          .endsWith("nothing can be written until it does, and what is read may be old");
      assertThat(log.all())
          .anyMatch(line -> line.matches("INFO etcd answers again at \\S+ \\(after .*\\)"));
      assertThat(log.withTraces()).isEmpty();
    } finally {
      etcd.members().forEach(EtcdProcess::resume);
    }
  }

  private void outlives(EtcdProcess member) throws Exception {
    outlives(member, member, EtcdProcess::pause, EtcdProcess::resume);
  }

  private void outlives(
      EtcdProcess asked, EtcdProcess lost, Consumer<EtcdProcess> lose, Consumer<EtcdProcess> back)
      throws Exception {
    try (var store = open(endpoints(asked.endpoint(), asked));
        var load = new TruthfulLoad(store)) {
      load.awaitCommits(50);
      lose.accept(lost);
      try {
        load.awaitCommits(50, SOON);
        StoreFixture.await(store.readIndex());
      } finally {
        back.accept(lost);
      }
      etcd.awaitReady();
      load.stopAndCheck();
    }
  }

  /** All members, with that URL in place of one of them, and first. */
  private String[] endpoints(String url, EtcdProcess replaced) {
    return Stream.concat(
            Stream.of(url),
            Arrays.stream(etcd.endpoints()).filter(each -> !each.equals(replaced.endpoint())))
        .toArray(String[]::new);
  }

  private EtcdStore open(String... endpoints) {
    return EtcdStore.open(
        EtcdOptions.at(endpoints)
            .withPrefix("/test" + ++stores)
            .withTimeouts(Duration.ofSeconds(90), Duration.ofSeconds(100))
            .withCompactionInterval(Duration.ZERO),
        0);
  }
}
