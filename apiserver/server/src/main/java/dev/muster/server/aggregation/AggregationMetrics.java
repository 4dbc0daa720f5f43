package dev.muster.server.aggregation;

import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.UnknownSnapshot;
import io.prometheus.metrics.model.snapshots.UnknownSnapshot.UnknownDataPointSnapshot;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts unavailable APIServices, under upstream's metric names. Thread-safe. */
public final class AggregationMetrics {
  private record Failure(String name, String reason) {}

  private final Map<Failure, LongAdder> failures = new ConcurrentHashMap<>();

  public AggregationMetrics(AggregatedApis apis, PrometheusRegistry registry) {
    GaugeWithCallback.builder()
        .name("aggregator_unavailable_apiservice")
        .help("1 for every APIService that is not available, 0 for the others.")
        .labelNames("name")
        .callback(
            gauge ->
                apis.availability()
                    .forEach((name, available) -> gauge.call(available ? 0 : 1, name)))
        .register(registry);
    registry.register(new Failures());
  }

  /** A condition was written. */
  void wrote(String name, boolean wasAvailable, AvailableCondition condition) {
    if (wasAvailable && !condition.available()) {
      failures
          .computeIfAbsent(new Failure(name, condition.reason()), absent -> new LongAdder())
          .increment();
    }
  }

  /**
   * The counter, exported without type. The library would name a counter after the gauge, plus
   * {@code _total}.
   */
  private final class Failures implements Collector {
    @Override
    public MetricSnapshot collect() {
      var all =
          UnknownSnapshot.builder()
              .name("aggregator_unavailable_apiservice_total")
              .help("How often an APIService ceased to be available, by its name and the reason.");
      failures.forEach(
          (failure, count) ->
              all.dataPoint(
                  UnknownDataPointSnapshot.builder()
                      .labels(Labels.of("name", failure.name(), "reason", failure.reason()))
                      .value((double) count.sum())
                      .build()));
      return all.build();
    }
  }
}
