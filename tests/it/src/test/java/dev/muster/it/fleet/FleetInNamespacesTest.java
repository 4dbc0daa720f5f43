package dev.muster.it.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.muster.it.fleet.LabServer.Mode;
import dev.muster.pki.PkiFolder;
import dev.muster.testing.ChildProcess;
import dev.muster.testing.NeedsProgram;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real fleet on three etcd members, every server in a network namespace with both families:
 * killed, paused, cut off, restarted, upgraded and downgraded in the order of a seed. {@code
 * -Dmuster.fleet.seconds} lets it run longer, {@code -Dmuster.fleet.servers} larger, {@code
 * -Dmuster.fleet.seed} in another order.
 */
@Tag("slow")
@NeedsProgram("unshare")
@NeedsProgram("nsenter")
@NeedsProgram("mount")
@NeedsProgram("ip")
@NeedsProgram("curl")
@NeedsProgram(value = "etcd", from = "3.4")
class FleetInNamespacesTest {
  private static final int SERVERS = Integer.getInteger("muster.fleet.servers", 3);
  private static final Duration TROUBLE =
      Duration.ofSeconds(Integer.getInteger("muster.fleet.seconds", 15));

  /** A dead server's record, the next look of another, and a busy machine. */
  private static final Duration GRACE = Duration.ofSeconds(30);

  private final Random random = new Random(Integer.getInteger("muster.fleet.seed", 1));
  private final List<ChildProcess> etcd = new ArrayList<>();
  private final List<LabServer> servers = new ArrayList<>();
  private final List<NetworkLab> labs = new ArrayList<>();
  private final List<String> wrong = new ArrayList<>();
  @TempDir private Path folder;

  @BeforeEach
  void open() throws IOException {
    var obstacle = NetworkLab.obstacle();
    assumeTrue(obstacle.isEmpty(), () -> obstacle.orElse(""));
    var lab = NetworkLab.open(folder);
    labs.add(lab);
    var urls = startEtcd(lab);
    PkiFolder.open(folder, InstantSource.system()).tokenKey();
    FleetApi.writeTokens(folder);
    for (int i = 0; i < SERVERS; i++) {
      servers.add(new LabServer(lab, folder, urls, 11 + i));
    }
    lab.addHost("four", "10.77.0.4/24");
    lab.addHost("six", "fd77::6/64");
  }

  @AfterEach
  void close() {
    servers.forEach(LabServer::kill);
    etcd.forEach(ChildProcess::close);
    labs.forEach(NetworkLab::close);
  }

  private String startEtcd(NetworkLab lab) {
    var peers = new ArrayList<String>();
    var clients = new ArrayList<String>();
    for (int i = 0; i < 3; i++) {
      peers.add("e" + i + "=http://10.77.0.1:" + (2390 + i));
      clients.add("http://10.77.0.1:" + (2370 + i));
    }
    for (int i = 0; i < 3; i++) {
      var peer = "http://10.77.0.1:" + (2390 + i);
      etcd.add(
          ChildProcess.start(
              lab.command(
                  NetworkLab.HUB,
                  List.of(
                      "etcd",
                      "--name=e" + i,
                      "--data-dir=" + folder.resolve("e" + i),
                      "--listen-client-urls=" + clients.get(i),
                      "--advertise-client-urls=" + clients.get(i),
                      "--listen-peer-urls=" + peer,
                      "--initial-advertise-peer-urls=" + peer,
                      "--initial-cluster=" + String.join(",", peers),
                      "--log-level=error"))));
    }
    return String.join(",", clients);
  }

  private NetworkLab lab() {
    return labs.getFirst();
  }

  @Test
  void endpointsStayTrueThroughTroubleAndClientsOfEitherFamilyReachThem() throws Exception {
    for (var server : servers) {
      server.start(Mode.DUAL_STACK);
    }
    servers.forEach(LabServer::awaitReady);
    awaitSettled();
    theCheckerSeesAFault();
    degradedReason();
    for (var server : servers) {
      server.wake();
      server.cutOff(false);
      if (server.isGone() || !server.isDualStack()) {
        server.kill();
        server.start(Mode.DUAL_STACK);
      }
    }
    servers.forEach(LabServer::awaitReady);
    awaitSettled();
    staysQuiet(Duration.ofSeconds(10));
    clientsReachEveryPublishedAddress();
    assertThat(wrong).isEmpty();
  }

  @Test
  void aFleetIsUpgradedAndDowngradedAndNothingStaleStays() throws Exception {
    var modes = new ArrayList<>(List.of(Mode.SINGLE_STACK, Mode.GATE_OFF, Mode.DUAL_STACK));
    modes.addAll(List.of(Mode.GATE_OFF));
    for (var server : servers) {
      server.start(modes.getFirst());
    }
    servers.forEach(LabServer::awaitReady);
    awaitSettled();
    for (var mode : modes.subList(1, modes.size())) {
      for (var server : servers) {
        if (random.nextBoolean()) {
          server.stop();
        } else {
          server.kill();
        }
        server.start(mode);
        server.awaitReady();
        check();
      }
      awaitSettled();
    }
    var shown = Published.by(lab(), servers.getFirst()).orElseThrow();
    assertThat(shown.clusterIps()).containsExactly("10.99.0.1");
    assertThat(shown.slices()).containsOnlyKeys("kubernetes");
    for (var server : servers) {
      server.stop();
    }
    assertThat(wrong).isEmpty();
  }

  private void theCheckerSeesAFault() {
    var shown = Published.by(lab(), servers.getFirst()).orElseThrow();
    var odd = new TreeSet<>(shown.endpoints());
    odd.add("10.77.0.200");
    check(new Published(shown.clusterIps(), odd, shown.slices(), shown.versions()));
    assertThat(wrong).containsExactly("nobody has 10.77.0.200");
    wrong.clear();
  }

  /** Random events, with a look at what is published after each. */
  private void degradedReason() throws InterruptedException {
    var end = Instant.now().plus(TROUBLE);
    while (Instant.now().isBefore(end)) {
      var one = servers.get(random.nextInt(servers.size()));
      switch (random.nextInt(7)) {
        case 0 -> one.kill();
        case 1 -> one.stop();
        case 2 -> one.pause();
        case 3 -> one.wake();
        case 4 -> one.cutOff(true);
        case 5 -> one.cutOff(false);
        default -> {
          if (one.isGone()) {
            one.start(List.of(Mode.values()).get(random.nextInt(3)));
          }
        }
      }
      if (servers.stream().allMatch(LabServer::isGone)) {
        one.cutOff(false);
        one.start(Mode.DUAL_STACK);
        one.awaitReady();
      }
      var until = Instant.now().plusMillis(500 + random.nextInt(4_000));
      while (Instant.now().isBefore(until)) {
        check();
      }
    }
  }

  /** What must hold at any time. */
  private void check() {
    for (var server : servers) {
      if (server.isRunning()) {
        Published.by(lab(), server).ifPresent(this::check);
      }
    }
  }

  private void check(Published shown) {
    var now = Instant.now();
    for (var address : shown.endpoints()) {
      var owner = servers.stream().filter(one -> one.four.equals(address)).findFirst();
      if (owner.isEmpty()) {
        wrong.add("nobody has " + address);
      } else if (!owner.get().isRunning() && owner.get().changed().plus(GRACE).isBefore(now)) {
        wrong.add(address + " is gone for long and still published");
      }
    }
    boolean dual = servers.stream().anyMatch(one -> one.isDualStack() && !one.isGone());
    boolean changedLately =
        servers.stream().anyMatch(one -> one.changed().plus(GRACE).isAfter(now));
    if (shown.clusterIps().size() == 2 && !dual && !changedLately) {
      wrong.add("the Service is dual-stack without a dual-stack server");
    }
  }

  private void awaitSettled() {
    var four = new TreeSet<>(servers.stream().map(one -> one.four).toList());
    var six = servers.stream().filter(LabServer::isDualStack).map(one -> one.six).sorted().toList();
    await()
        .atMost(Duration.ofMinutes(1))
        .pollInterval(Duration.ofMillis(300))
        .untilAsserted(
            () -> {
              for (var server : servers) {
                var shown = Published.by(lab(), server).orElseThrow();
                assertThat(shown.endpoints()).isEqualTo(four);
                assertThat(shown.slices().get("kubernetes")).containsExactlyElementsOf(four);
                assertThat(shown.slices().getOrDefault("kubernetes-ipv6", List.of()))
                    .isEqualTo(six);
                assertThat(shown.slices()).hasSize(six.isEmpty() ? 1 : 2);
                assertThat(shown.clusterIps()).hasSize(six.isEmpty() ? 1 : 2);
              }
            });
  }

  private void staysQuiet(Duration time) {
    var before = Published.by(lab(), servers.getFirst()).orElseThrow().versions();
    await()
        .during(time)
        .atMost(time.plusSeconds(20))
        .until(
            () ->
                Published.by(lab(), servers.getFirst())
                    .map(shown -> shown.versions().equals(before))
                    .orElse(true));
  }

  private void clientsReachEveryPublishedAddress() {
    var shown = Published.by(lab(), servers.getFirst()).orElseThrow();
    assertThat(lab().on("four", "curl", "-sk", "-m", "2", "https://[fd77::11]:6443/readyz").code())
        .as("a client without IPv6")
        .isNotZero();
    for (var server : servers) {
      assertThat(shown.slices().get("kubernetes")).contains(server.four);
      assertThat(shown.slices().get("kubernetes-ipv6")).contains(server.six);
      reaches("four", server, server.four, "10.99.0.1");
      reaches("six", server, "[" + server.six + "]", "[fd99::1]");
    }
  }

  /** By the server's own address and by the Service's, with a certificate that holds both. */
  private void reaches(String client, LabServer server, String address, String service) {
    var authority = server.authority().toString();
    assertThat(
            lab()
                .on(
                    client,
                    "curl",
                    "-sS",
                    "-m",
                    "10",
                    "--cacert",
                    authority,
                    "https://" + address + ":6443/readyz")
                .text())
        .isEqualTo("ok");
    assertThat(
            lab()
                .on(
                    client,
                    "curl",
                    "-sS",
                    "-m",
                    "10",
                    "--cacert",
                    authority,
                    "--connect-to",
                    service + ":443:" + address + ":6443",
                    "https://" + service + "/readyz")
                .text())
        .isEqualTo("ok");
  }
}
