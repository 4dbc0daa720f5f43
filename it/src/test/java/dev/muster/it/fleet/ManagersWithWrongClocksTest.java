package dev.muster.it.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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

/** Controller managers as processes, whose clocks are right, three hours fast and as much slow. */
@Tag("slow")
@NeedsProgram("faketime")
class ManagersWithWrongClocksTest {
  private static final String LEASE =
      "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/muster-controller-manager";

  /** The offset of each manager's clock. */
  private final Map<ChildProcess, Duration> managers = new HashMap<>();

  @TempDir private Path folder;

  @Test
  void aLivingLeaderStaysLeaderAndADeadOneIsSucceededWhateverTheClocksSay() throws Exception {
    try (var fleet = new ServersInOneProcess(folder)) {
      var server = fleet.start();
      var kubeconfig = fleet.kubeconfig(server);
      for (int hours : List.of(0, 3, -3)) {
        managers.put(start(kubeconfig, hours), Duration.ofHours(hours));
      }
      for (int terms = 0; terms < 3; terms++) {
        int transitions = terms;
        await().until(() -> transitions(server) == transitions);
        var leader = leader(server);
        assertThat(offset(server)).isCloseTo(managers.get(leader), Duration.ofMinutes(2));
        var renewed = lease(server).string("renewTime");
        // Long enough for the others to try many times.
        var afterwards = Timestamps.parse(renewed).plusSeconds(3);
        await().until(() -> renewTime(server).isAfter(afterwards));
        assertThat(transitions(server)).isEqualTo(terms);
        if (terms == 0) {
          leader.pause();
          await().until(() -> transitions(server) == 1);
          leader.resume();
          await().until(() -> leader.output().stream().anyMatch(at -> at.contains("stops leading")));
        }
        leader.kill();
        managers.remove(leader);
      }
    } finally {
      managers.keySet().forEach(ChildProcess::close);
    }
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
            "--leader-elect-lease-duration=3s",
            "--leader-elect-renew-deadline=2s",
            "--leader-elect-retry-period=200ms"));
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
        .filter(each -> each.output().stream().anyMatch(line -> line.contains(holder + " is running")))
        .findFirst()
        .orElseThrow();
  }
}
