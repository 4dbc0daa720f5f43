package dev.muster.it.fleet;

import static org.awaitility.Awaitility.await;

import dev.muster.it.MusterCommand;
import dev.muster.testing.ChildProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One machine of the lab and the API server that runs on it, in one of its behaviours. */
final class LabServer {
  /** How a server takes part. */
  enum Mode {
    DUAL_STACK,
    /** Both ranges, the feature off. */
    GATE_OFF,
    SINGLE_STACK
  }

  final String name;
  final String four;
  final String six;
  private final NetworkLab lab;
  private final Path folder;
  private final String etcd;
  private @Nullable ChildProcess process;
  private Mode mode = Mode.DUAL_STACK;
  private boolean paused;
  private boolean cutOff;
  private Instant changed = Instant.EPOCH;

  LabServer(NetworkLab lab, Path folder, String etcd, int number) {
    this.lab = lab;
    this.folder = folder;
    this.etcd = etcd;
    this.name = "s" + number;
    this.four = "10.77.0." + number;
    this.six = "fd77::" + number;
    lab.addHost(name, four + "/24", six + "/64");
  }

  boolean isRunning() {
    return process != null && !paused && !cutOff;
  }

  boolean isGone() {
    return process == null;
  }

  boolean isDualStack() {
    return mode == Mode.DUAL_STACK;
  }

  /** When it came, went, was paused or woken. */
  Instant changed() {
    return changed;
  }

  Path authority() {
    return folder.resolve(name).resolve("ca.crt");
  }

  void start(Mode wanted) {
    mode = wanted;
    paused = false;
    changed = Instant.now();
    var flags =
        new ArrayList<>(
            List.of(
                "apiserver",
                "--etcd-servers=" + etcd,
                "--cert-dir=" + folder.resolve(name),
                "--token-auth-file=" + folder.resolve("tokens.csv"),
                "--service-account-issuer=https://kubernetes.default.svc",
                "--service-account-signing-key-file=" + folder.resolve("sa.key"),
                "--service-account-key-file=" + folder.resolve("sa.pub"),
                "--endpoint-reconciler-interval=2s",
                "--endpoint-reconciler-lease-duration=5s",
                "--feature-gates=DualStackAPIServer=" + (wanted != Mode.GATE_OFF)));
    if (wanted == Mode.SINGLE_STACK) {
      flags.add("--service-cluster-ip-range=10.99.0.0/24");
      flags.add("--advertise-address=" + four);
    } else {
      flags.add("--service-cluster-ip-range=10.99.0.0/24,fd99::/112");
      flags.add("--advertise-address=" + four + "," + six);
    }
    var command = MusterCommand.of(flags.toArray(String[]::new));
    process = ChildProcess.start(lab.command(name, command));
  }

  void awaitReady() {
    await()
        .atMost(Duration.ofMinutes(2))
        .pollInterval(Duration.ofMillis(500))
        .until(
            () ->
                lab.on(NetworkLab.HUB, "curl", "-sk", "-m", "5", "https://" + four + ":6443/readyz")
                    .text()
                    .equals("ok"));
    changed = Instant.now();
  }

  void kill() {
    var running = process;
    if (running != null) {
      running.close();
    }
    ended();
  }

  void stop() throws InterruptedException {
    var running = process;
    if (running != null) {
      running.resume();
      running.terminate();
      running.waitFor();
      running.close();
    }
    ended();
  }

  private void ended() {
    process = null;
    paused = false;
    changed = Instant.now();
  }

  void pause() {
    var running = process;
    if (running != null) {
      running.pause();
      paused = true;
      changed = Instant.now();
    }
  }

  void wake() {
    var running = process;
    if (running != null) {
      running.resume();
      paused = false;
      changed = Instant.now();
    }
  }

  /** Takes the machine off the network, or puts it back. */
  void cutOff(boolean cut) {
    if (cut != cutOff) {
      cutOff = cut;
      changed = Instant.now();
      lab.on(NetworkLab.HUB, "ip", "link", "set", "v" + name, cut ? "down" : "up");
    }
  }

  List<String> output() {
    var running = process;
    return running == null ? List.of() : running.output();
  }
}
