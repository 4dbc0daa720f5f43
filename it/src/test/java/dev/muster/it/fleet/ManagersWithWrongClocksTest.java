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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Controller managers whose clocks are right, three hours fast, and three hours slow. */
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

  /** The offset of each manager's clock. */
  private final Map<ChildProcess, Duration> managers = new HashMap<>();

  @TempDir private Path folder;

  @Test
  void aLivingLeaderStaysLeaderAndADeadOneIsSucceededWhateverTheClocksSay() throws Exception {
    try (var fleet = new ServersInOneProcess(folder)) {
      var server = fleet.start();
      var kubeconfig = fleet.kubeconfig(server);
      try (var client = Clients.of(kubeconfig);
          var right = ControllerManager.start(client, ELECTION, List.of())) {
        await().until(right::leading);
        for (int hours : List.of(3, -3)) {
          managers.put(start(kubeconfig, hours), Duration.ofHours(hours));
        }
        for (var manager : managers.keySet()) {
          await().until(() -> manager.output().stream().anyMatch(line -> line.contains("leads")));
        }
        awaitRenewals(server);
        assertThat(right.leading()).isTrue();
        assertThat(transitions(server)).isZero();
        right.close();
        await().until(() -> transitions(server) == 1);
        var first = leader(server);
        awaitRenewals(server);
        assertThat(transitions(server)).isEqualTo(1);
        assertThat(offset(server)).isCloseTo(managers.get(first), Duration.ofMinutes(2));
        first.pause();
        await().until(() -> transitions(server) == 2);
        var second = leader(server);
        assertThat(offset(server)).isCloseTo(managers.get(second), Duration.ofMinutes(2));
        first.resume();
        await().until(() -> first.output().stream().anyMatch(line -> line.contains("stops leading")));
        awaitRenewals(server);
        assertThat(leader(server)).isEqualTo(second);
      }
    } finally {
      managers.keySet().forEach(ChildProcess::close);
    }
  }

  /** Long enough for the others to try a few times. */
  private static void awaitRenewals(ServersInOneProcess.Running server) {
    var afterwards = renewTime(server).plus(ELECTION.leaseDuration());
    await().until(() -> renewTime(server).isAfter(afterwards));
  }

  /** Without the program faketime, which would be the parent of the process that is paused. */
  private static ChildProcess start(Path kubeconfig, int hours) throws IOException {
    var command = new ArrayList<String>();
    if (hours != 0) {
      command.addAll(
          List.of(
              "env",
              "LD_PRELOAD=" + library(),
              "FAKETIME=%+dh".formatted(hours),
              "FAKETIME_DONT_FAKE_MONOTONIC=1"));
    }
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

  private ChildProcess leader(ServersInOneProcess.Running server) {
    var holder = lease(server).string("holderIdentity");
    return managers.keySet().stream()
        .filter(each -> String.join("\n", each.output()).contains(holder + " is running"))
        .findFirst()
        .orElseThrow();
  }
}
