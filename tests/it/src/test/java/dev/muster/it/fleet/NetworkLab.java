package dev.muster.it.fleet;

import dev.muster.testing.ChildProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A network of its own inside a user namespace: a hub with a bridge, and hosts in network
 * namespaces on it, with addresses of both families or of one. Needs no privileges where the kernel
 * allows user namespaces. Gone with the test.
 */
final class NetworkLab implements AutoCloseable {
  static final String HUB = "";
  private final ChildProcess hub;

  private NetworkLab(ChildProcess hub) {
    this.hub = hub;
  }

  /** What one program printed, and how it ended. */
  record Output(int code, String text) {}

  /** Why the kernel does not let us have such a network; empty when it does. */
  static Optional<String> obstacle() {
    var tried =
        run(
            List.of(
                "unshare",
                "--map-root-user",
                "--net",
                "--mount",
                "sh",
                "-c",
                "mount -t tmpfs none /run && mkdir /run/netns && ip netns add x && ip link add br0"
                    + " type bridge && ip link add veth0 type veth peer name eth0 netns x &&"
                    + " nsenter --net=/run/netns/x ip -6 addr add fd77::1/64 dev eth0 nodad"));
    return tried.code() == 0
        ? Optional.empty()
        : Optional.of("the kernel does not let us make network namespaces: " + tried.text());
  }

  static NetworkLab open(Path folder) {
    try {
      var script =
          Files.writeString(
              folder.resolve("hub.sh"),
              """
              set -e
              mount -t tmpfs none /run
              mkdir -p /run/netns
              ip link set lo up
              ip link add br0 type bridge
              ip link set br0 up
              ip addr add 10.77.0.1/24 dev br0
              ip -6 addr add fd77::1/64 dev br0 nodad
              echo ready
              exec sleep infinity
              """);
      var hub =
          ChildProcess.start(
              List.of("unshare", "--map-root-user", "--net", "--mount", "sh", script.toString()));
      var line = hub.nextLine();
      if (!"ready".equals(line)) {
        hub.close();
        throw new AssertionError("no network: " + line);
      }
      return new NetworkLab(hub);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /** Adds a host with these addresses, each with its prefix length. */
  void addHost(String name, String... addresses) {
    var script = new StringBuilder("set -e; ip netns add " + name);
    script
        .append("; ip link add v")
        .append(name)
        .append(" type veth peer name eth0 netns ")
        .append(name);
    script.append("; ip link set v").append(name).append(" master br0 up");
    var inside = new StringBuilder("set -e; ip link set lo up; ip link set eth0 up");
    for (var address : addresses) {
      inside.append("; ip addr add ").append(address).append(" dev eth0");
      inside.append(address.contains(":") ? " nodad" : "");
    }
    script
        .append("; nsenter --net=/run/netns/")
        .append(name)
        .append(" sh -c '")
        .append(inside)
        .append("'");
    var output = run(command(HUB, List.of("sh", "-c", script.toString())));
    if (output.code() != 0) {
      throw new AssertionError("no host " + name + ": " + output.text());
    }
  }

  /** The command that runs another one on a host. */
  List<String> command(String host, List<String> command) {
    var whole =
        new ArrayList<>(
            List.of(
                "nsenter",
                "-t",
                Long.toString(hub.pid()),
                "-U",
                "-m",
                "-n",
                "--preserve-credentials"));
    if (!host.isEmpty()) {
      whole.addAll(List.of("nsenter", "--net=/run/netns/" + host));
    }
    whole.addAll(command);
    return whole;
  }

  Output on(String host, String... command) {
    return run(command(host, List.of(command)));
  }

  private static Output run(List<String> command) {
    try {
      var process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getOutputStream().close();
      var text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (!process.waitFor(60, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new AssertionError("still running after a minute: " + command);
      }
      return new Output(process.exitValue(), text);
    } catch (IOException e) {
      return new Output(-1, String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    hub.close();
  }
}
