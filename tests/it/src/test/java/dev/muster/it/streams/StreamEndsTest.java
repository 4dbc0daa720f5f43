package dev.muster.it.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.it.KubectlTest;
import dev.muster.testing.ChildProcess;
import dev.muster.testing.StubServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Streams through a kubelet end on both sides, whichever side ends them, and lead nowhere else. */
@Tag("slow")
@Timeout(300)
class StreamEndsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir private static Path folder;
  private static KubeletCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster = KubeletCluster.start(folder);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static ChildProcess begun(Path program, String... arguments) {
    var process = ChildProcess.start(cluster.kubectl(program).command(arguments));
    await().atMost(PATIENCE).until(() -> cluster.kubelet().connections() == 1);
    return process;
  }

  private static void awaitNobody() {
    await().atMost(PATIENCE).until(() -> cluster.kubelet().connections() == 0);
  }

  @KubectlTest
  void whoLeavesACommandTakesItAlong(Path program) {
    try (var kubectl = begun(program, "exec", "p", "-c", "c", "--", "wait")) {
      kubectl.kill();
      awaitNobody();
    }
    try (var kubectl = begun(program, "attach", "p", "-c", "c")) {
      kubectl.kill();
      awaitNobody();
    }
  }

  @KubectlTest
  void aKubeletThatGoesEndsTheCommandOfItsClient(Path program) throws Exception {
    try (var kubectl = begun(program, "exec", "p", "-c", "c", "--", "wait")) {
      cluster.kubelet().hangUp();
      // Its exit code is its own business: over SPDY it takes the end of all streams for success.
      kubectl.waitFor();
      awaitNobody();
    }
  }

  @KubectlTest
  void whoStopsToForwardAPortLeavesNothingBehind(Path program) throws Exception {
    var command = cluster.kubectl(program).command("port-forward", "pod/p", ":80");
    try (var kubectl = ChildProcess.start(command)) {
      assertThat(kubectl.nextLine()).contains("Forwarding from");
      assertThat(cluster.kubelet().connections()).isEqualTo(1);
      kubectl.kill();
      awaitNobody();
    }
  }

  @KubectlTest
  void aLogThatIsFollowedEndsWithItsContainer(Path program) throws Exception {
    try (var kubectl = begun(program, "logs", "-f", "p", "-c", "c")) {
      assertThat(kubectl.nextLine()).isEqualTo("a line");
      cluster.kubelet().endLogs();
      assertThat(kubectl.waitFor()).as(String.join("\n", kubectl.output())).isZero();
      awaitNobody();
    }
  }

  @KubectlTest
  void aLogThatIsFollowedEndsWithItsReader(Path program) throws Exception {
    try (var kubectl = begun(program, "logs", "-f", "p", "-c", "c")) {
      assertThat(kubectl.nextLine()).isEqualTo("a line");
      kubectl.kill();
      awaitNobody();
    }
  }

  @KubectlTest
  void aLogWhoseKubeletGoesIsCutOff(Path program) throws Exception {
    try (var kubectl = begun(program, "logs", "-f", "p", "-c", "c")) {
      assertThat(kubectl.nextLine()).isEqualTo("a line");
      cluster.kubelet().hangUp();
      kubectl.waitFor();
      awaitNobody();
    }
  }

  @KubectlTest
  void whereAKubeletSendsOneNobodyGoes(Path program) throws Exception {
    var visits = new AtomicInteger();
    try (var victim = new StubServer(exchange -> visits.incrementAndGet())) {
      cluster.kubelet().elsewhere = "https://127.0.0.1:" + victim.port() + "/";
      var kubectl = cluster.kubectl(program);
      for (var arguments :
          List.of(
              new String[] {"exec", "p", "-c", "elsewhere", "--", "echo"},
              new String[] {"attach", "p", "-c", "elsewhere"},
              new String[] {"logs", "p", "-c", "elsewhere"},
              new String[] {"port-forward", "pod/elsewhere", ":80"})) {
        if (arguments[0].equals("port-forward")) {
          try (var forwarding = ChildProcess.start(kubectl.command(arguments))) {
            assertThat(forwarding.waitFor()).isNotZero();
          }
        } else {
          assertThat(kubectl.run(arguments).code()).as(arguments[0]).isNotZero();
        }
      }
      assertThat(visits).hasValue(0);
    }
    awaitNobody();
  }

  @KubectlTest
  void aKubeletThatSpeaksSomethingElseEndsTheCommand(Path program) throws Exception {
    var command = cluster.kubectl(program).command("exec", "p", "-c", "garbled", "--", "wait");
    try (var kubectl = ChildProcess.start(command)) {
      assertThat(kubectl.waitFor()).isNotZero();
      awaitNobody();
    }
  }
}
