package dev.muster.it.fleet;

import static dev.muster.it.fleet.PeerServers.SCALERS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.pki.PkiFolder;
import dev.muster.testing.FreePorts;
import dev.muster.testing.NeedsProgram;
import dev.muster.testing.TcpProxy;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server of the fleet is killed while it answers what another one has passed on to it. */
@Tag("slow")
@NeedsProgram(value = "etcd", from = "3.4")
class PeerProcessesTest {
  @TempDir private Path folder;
  private ServerProcesses servers;
  private ServerProcesses.Running rich;
  private FleetApi poor;

  /** From the poor one to the rich one. */
  private TcpProxy way;

  @BeforeEach
  void start() throws IOException {
    var front = folder.resolve("front");
    PkiFolder.open(front, InstantSource.system())
        .client(PeerServers.CLIENT, PeerServers.CLIENT, List.of());
    servers =
        new ServerProcesses(
            folder,
            List.of(
                "--peer-advertise-ip=127.0.0.1",
                "--requestheader-client-ca-file=" + front.resolve("ca.crt"),
                "--requestheader-username-headers=X-Remote-User",
                "--requestheader-group-headers=X-Remote-Group",
                "--requestheader-extra-headers-prefix=X-Remote-Extra-",
                "--proxy-client-cert-file=" + front.resolve(PeerServers.CLIENT + ".crt"),
                "--proxy-client-key-file=" + front.resolve(PeerServers.CLIENT + ".key")));
    int port = FreePorts.find(1).getFirst();
    way = new TcpProxy("https://127.0.0.1:" + port);
    rich = servers.start(port, "--peer-advertise-port=" + URI.create(way.endpoint()).getPort());
    poor =
        servers
            .start(
                "--runtime-config=autoscaling/v2=false",
                "--peer-ca-file=" + folder.resolve("pki-" + port + "/ca.crt"))
            .api();
    await().atMost(Duration.ofSeconds(60)).until(() -> poor.get(SCALERS).status() == 200);
  }

  @AfterEach
  void stop() {
    servers.close();
    way.close();
  }

  @Test
  void aRequestUnderWayIsAnsweredThatItMayBeTriedAgain() {
    way.swallowAnswers(true);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var passed = CompletableFuture.supplyAsync(() -> poor.get(SCALERS), threads);
      await().until(() -> way.swallowed() > 0);
      rich.process().kill();
      var answer = passed.join();
      assertThat(answer.status()).as(answer.body()).isEqualTo(503);
      assertThat(answer.object().object("details").integer("retryAfterSeconds", 0)).isEqualTo(1);
    }
    assertThat(poor.get(SCALERS.replace("/v2/", "/v1/")).status()).isEqualTo(200);
  }

  @Test
  void aWatchUnderWayEnds() throws IOException {
    assertThat(poor.send("POST", SCALERS, PeerServers.scaler("seen")).status()).isEqualTo(201);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor();
        var events = poor.stream(SCALERS + "?watch=true&resourceVersion=0&timeoutSeconds=600")) {
      assertThat(events.readLine()).contains("\"seen\"");
      rich.process().kill();
      assertThat(CompletableFuture.supplyAsync(() -> isCut(events), threads))
          .succeedsWithin(Duration.ofSeconds(30))
          .isEqualTo(true);
    }
  }

  /** Whether nothing more comes, properly or not. */
  private static boolean isCut(BufferedReader events) {
    try {
      while (events.readLine() != null) {
        // What was on its way.
      }
    } catch (IOException e) {
      return true;
    }
    return true;
  }
}
