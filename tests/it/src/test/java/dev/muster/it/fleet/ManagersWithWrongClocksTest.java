package dev.muster.it.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.controllers.client.Clients;
import dev.muster.controllers.election.LeaderElection;
import dev.muster.controllers.manager.ControllerManager;
import dev.muster.it.MusterCommand;
import dev.muster.model.Timestamps;
import dev.muster.model.json.JsonObject;
import dev.muster.testing.ChildProcess;
import dev.muster.testing.NeedsProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A controller manager whose clock is three hours fast, as a process, among right ones. */
@Tag("slow")
@NeedsProgram("faketime")
class ManagersWithWrongClocksTest {
  private static final String LEASE =
      "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/muster-controller-manager";

  /** Short, and long enough for a busy machine to renew in time. */
  private static final LeaderElection ELECTION =
      new LeaderElection(
          true,
          Duration.ofSeconds(5),
          Duration.ofSeconds(4),
          Duration.ofMillis(300),
          "kube-system",
          "muster-controller-manager");

  @TempDir private Path folder;

  @Test
  @SuppressWarnings("try") // the first manager ends in the middle, and at the latest at the end
  void aFastClockNeitherTakesALivingLeadersLeaseNorKeepsADeadOnes() throws Exception {
    try (var fleet = new ServersInOneProcess(folder)) {
      var server = fleet.start();
      var kubeconfig = fleet.kubeconfig(server);
      try (var client = Clients.of(kubeconfig);
          var first = ControllerManager.start(client, ELECTION, List.of());
          var fast = start(kubeconfig, "+3h")) {
        awaitOutput(fast, first.identity() + " leads");
        awaitRenewals(server);
        assertThat(first.leading()).isTrue();
        assertThat(transitions(server)).isZero();
        first.close();
        await().until(() -> transitions(server) == 1);
        assertThat(String.join("\n", fast.output())).contains(holder(server) + " is running");
        assertThat(offset(server)).isCloseTo(Duration.ofHours(3), Duration.ofMinutes(2));
        try (var second = ControllerManager.start(client, ELECTION, List.of())) {
          awaitRenewals(server);
          assertThat(second.leading()).isFalse();
          assertThat(transitions(server)).isEqualTo(1);
          assertThat(StatusOutput.of(kubeconfig))
              .contains(
                  "the clock of " + holder(server) + " is 3h ahead of that of the others",
                  "set the clock there",
                  "renewed 0s ago")
              .doesNotContain("the clock of this machine");
          fast.pause();
          await().until(second::leading);
          fast.resume();
          awaitOutput(fast, "stops leading");
          awaitRenewals(server);
          assertThat(holder(server)).isEqualTo(second.identity());
        }
      }
    }
  }

  private static void awaitOutput(ChildProcess process, String text) {
    await()
        .atMost(Duration.ofMinutes(2))
        .untilAsserted(() -> assertThat(process.output()).anyMatch(line -> line.contains(text)));
  }

  /** Long enough for the others to try a few times. */
  private static void awaitRenewals(ServersInOneProcess.Running server) {
    var afterwards = renewTime(server).plus(ELECTION.leaseDuration());
    await().until(() -> renewTime(server).isAfter(afterwards));
  }

  /** Without the program faketime, which would be the parent of the process that is paused. */
  private static ChildProcess start(Path kubeconfig, String offset) throws IOException {
    var command =
        new ArrayList<>(
            List.of(
                "env",
                "LD_PRELOAD=" + library(),
                "FAKETIME=" + offset,
                "FAKETIME_DONT_FAKE_MONOTONIC=1"));
    command.addAll(
        MusterCommand.of(
            "controller-manager",
            "--kubeconfig=" + kubeconfig,
            "--controllers=ttl-after-finished-controller",
            "--secure-port=0",
            "--leader-elect-lease-duration=" + ELECTION.leaseDuration().toSeconds() + "s",
            "--leader-elect-renew-deadline=" + ELECTION.renewDeadline().toSeconds() + "s",
            "--leader-elect-retry-period=" + ELECTION.retryPeriod().toMillis() + "ms"));
    return ChildProcess.start(command);
  }

  private static Path library() throws IOException {
    try (var files = Files.walk(Path.of("/usr/lib"), 3)) {
      return files
          .filter(file -> file.endsWith("faketime/libfaketimeMT.so.1"))
          .findFirst()
          .orElseThrow();
    }
  }

  private static JsonObject lease(ServersInOneProcess.Running server) {
    return server.api().object(LEASE).object("spec");
  }

  private static long transitions(ServersInOneProcess.Running server) {
    return lease(server).integer("leaseTransitions", -1);
  }

  private static Instant renewTime(ServersInOneProcess.Running server) {
    return Timestamps.parse(lease(server).string("renewTime"));
  }

  /** How far the leader's clock is from that of this test. */
  private static Duration offset(ServersInOneProcess.Running server) {
    return Duration.between(Instant.now(), renewTime(server));
  }

  private static String holder(ServersInOneProcess.Running server) {
    return lease(server).string("holderIdentity");
  }
}
