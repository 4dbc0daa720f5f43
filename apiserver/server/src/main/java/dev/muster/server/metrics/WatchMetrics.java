package dev.muster.server.metrics;

import dev.muster.server.health.HealthCheck;
import dev.muster.server.watch.DeliveryTimes;
import dev.muster.server.watch.WatchHub;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;

/** Reports the delay of changes on their way to watches, as metrics and as a health check. */
public final class WatchMetrics {
  /** A server with this delay should get no further clients, which would increase it. */
  private static final Duration TOO_LATE = Duration.ofSeconds(30);

  /** Smaller delays are not reported. */
  private static final Duration PROMPT = Duration.ofSeconds(1);

  private WatchMetrics() {}

  /**
   * Records delivery times in the histogram.
   *
   * @param clock the replica's
   */
  public static DeliveryTimes deliveryTimes(InstantSource clock, PrometheusRegistry registry) {
    var lags =
        Histogram.builder()
            .withoutExemplars()
            .name("muster_watch_delivery_lag_seconds")
            .help(
                "Seconds from applying a change until an event loop has handed it to all of its"
                    + " watches that keep up.")
            .classicOnly()
            .classicUpperBounds(
                0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
            .register(registry);
    return new DeliveryTimes(clock, millis -> lags.observe(millis / 1000.0));
  }

  public static void register(WatchHub watches, PrometheusRegistry registry) {
    GaugeWithCallback.builder()
        .name("muster_watch_oldest_undelivered_seconds")
        .help("Age of the oldest change that waits for watches whose clients keep up.")
        .callback(gauge -> gauge.call(watches.oldestUndelivered().toMillis() / 1000.0))
        .register(registry);
  }

  /** Reports delays, and fails readiness when they are too long. */
  public static HealthCheck check(WatchHub watches) {
    return HealthCheck.ofTrouble("watch-delivery", () -> late(watches, TOO_LATE))
        .withNote(() -> late(watches, PROMPT));
  }

  private static String late(WatchHub watches, Duration limit) {
    var age = watches.oldestUndelivered();
    return age.compareTo(limit) < 0
        ? ""
        : String.format(
            Locale.ROOT,
            "the oldest change that watches wait for is %.1f s old",
            age.toMillis() / 1000.0);
  }
}
