package dev.muster.server.metrics;

import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;

/** A histogram under a second name, which costs nothing until it is scraped. */
record HistogramAlias(Histogram other, String name, String help) implements Collector {
  @Override
  public MetricSnapshot collect() {
    return new HistogramSnapshot(new MetricMetadata(name, help), other.collect().getDataPoints());
  }
}
