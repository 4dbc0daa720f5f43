package dev.muster.server.metrics;

import dev.muster.model.GroupResource;
import dev.muster.registry.commit.CommitTimes;
import dev.muster.store.Operation;
import dev.muster.store.Transaction;
import dev.muster.store.encrypted.StorageResources;
import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Times the writes of any store under the metric names of etcd that dashboards use. Thread-safe.
 * Reads are not counted: the replica answers them.
 */
public final class StoreMetrics implements CommitTimes {
  private static final double[] SECONDS = {
    0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45,
    60
  };
  private static final double NANOS = 1e9;
  private static final GroupResource OTHER = new GroupResource("", "");

  private record Labels(String operation, GroupResource resource) {}

  private record Series(DistributionDataPoint seconds, CounterDataPoint requests) {}

  private final Map<Labels, Series> series = new ConcurrentHashMap<>();
  private final StorageResources resources;
  private final Histogram seconds;
  private final Counter requests;

  public StoreMetrics(StorageResources resources, PrometheusRegistry registry) {
    this.resources = resources;
    this.seconds =
        Histogram.builder()
            .name("etcd_request_duration_seconds")
            .help("How long the store took for writes, by operation and resource.")
            .labelNames("operation", "group", "resource")
            .classicOnly()
            .classicUpperBounds(SECONDS)
            .register(registry);
    this.requests =
        Counter.builder()
            .name("etcd_requests_total")
            .help("Writes that the store was asked for, by operation and resource.")
            .labelNames("operation", "group", "resource")
            .register(registry);
  }

  @Override
  public void took(Transaction transaction, long nanos) {
    for (var operation : transaction.operations()) {
      var name = name(operation);
      if (!name.isEmpty()) {
        var resource = resources.of(operation.key());
        var known =
            series.computeIfAbsent(
                new Labels(name, resource == null ? OTHER : resource), this::open);
        known.seconds().observe(nanos / NANOS);
        known.requests().inc();
        return;
      }
    }
  }

  /** The operation's name in etcd's client; "" for a guard. */
  private static String name(Operation operation) {
    return switch (operation) {
      case Operation.Put put -> put.expected() == Operation.ABSENT ? "create" : "update";
      case Operation.Delete _ -> "delete";
      case Operation.Check _ -> "";
    };
  }

  private Series open(Labels labels) {
    String[] values = {labels.operation(), labels.resource().group(), labels.resource().resource()};
    return new Series(seconds.labelValues(values), requests.labelValues(values));
  }
}
