package dev.muster.bench;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How hard and how long to press. */
public record BenchOptions(
    List<String> scenarios,
    Duration warmUp,
    Duration duration,
    int inFlight,
    int connections,
    int threads,
    int watches,
    int watchConnections,
    int objectBytes,
    @Nullable String startCommand,
    int starts,
    int definitions,
    Kubelets kubelets) {

  /**
   * What the scenario kubelets has.
   *
   * @param rate how many pods' statuses change in a second
   */
  public record Kubelets(int nodes, int pods, int rate) {
    public Kubelets {
      atLeastOne("nodes", nodes);
      atLeastOne("pods", pods);
      atLeastOne("rate", rate);
    }
  }

  public BenchOptions {
    scenarios = List.copyOf(scenarios);
    atLeastOne("in-flight", inFlight);
    atLeastOne("connections", connections);
    atLeastOne("threads", threads);
    atLeastOne("watches", watches);
    atLeastOne("watch-connections", watchConnections);
    atLeastOne("starts", starts);
    atLeastOne("definition-count", definitions);
    if (duration.isNegative() || duration.isZero()) {
      throw new IllegalArgumentException("--duration: must be greater than zero");
    }
    if (warmUp.isNegative()) {
      throw new IllegalArgumentException("--warm-up: must not be negative");
    }
    if (objectBytes < 0 || objectBytes > 1_000_000) {
      throw new IllegalArgumentException("--object-bytes: must be between 0 and 1000000");
    }
  }

  public static BenchOptions defaults() {
    return new BenchOptions(
        List.of(),
        Duration.ofSeconds(5),
        Duration.ofSeconds(10),
        64,
        8,
        1,
        2000,
        32,
        1024,
        null,
        5,
        300,
        new Kubelets(500, 5_000, 200));
  }

  private static void atLeastOne(String flag, int value) {
    if (value < 1) {
      throw new IllegalArgumentException("--" + flag + ": must be at least 1");
    }
  }
}
