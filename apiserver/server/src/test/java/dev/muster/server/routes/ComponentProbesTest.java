package dev.muster.server.routes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class ComponentProbesTest {
  @Test
  void aComponentThatDoesNotListenIsNotHealthy() throws IOException {
    int port;
    try (var socket = new ServerSocket(0)) {
      port = socket.getLocalPort();
    }
    assertThat(ComponentProbes.overHttps(port))
        .isEqualTo(
            new ComponentProbes.Health(
                false,
                "Get \"https://127.0.0.1:%d/healthz\": dial tcp 127.0.0.1:%d: connect: connection refused"
                    .formatted(port, port),
                ""));
  }

  @Test
  void aComponentInTheSameProcessIsHealthyWhileItRuns() {
    var neighbours = new Neighbours();
    var runs = new AtomicBoolean(true);
    neighbours.add("controller-manager", runs::get);
    var probe =
        Objects.requireNonNull(
            ComponentProbes.standard(neighbours, () -> {}).get("controller-manager"));
    assertThat(probe.ask()).isEqualTo(new ComponentProbes.Health(true, "ok", ""));
    runs.set(false);
    // What is asked then listens on a port of the machine that a test cannot choose.
    assertThat(neighbours.runs("controller-manager")).isFalse();
  }

  @Test
  void aStoreThatFailsIsNotHealthy() {
    var probes =
        ComponentProbes.standard(
            new Neighbours(),
            () -> {
              throw new IllegalStateException("no quorum");
            });
    assertThat(Objects.requireNonNull(probes.get("etcd-0")).ask())
        .isEqualTo(new ComponentProbes.Health(false, "", "no quorum"));
  }
}
