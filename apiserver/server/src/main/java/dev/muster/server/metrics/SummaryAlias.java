package dev.muster.server.metrics;

import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.SummarySnapshot;

/** The counts and sums of a histogram under a second name, without its buckets. */
record SummaryAlias(Histogram other, String name, String help) implements Collector {
  @Override
  public MetricSnapshot collect() {
    return new SummarySnapshot(
        new MetricMetadata(name, help),
        other.collect().getDataPoints().stream()
            .map(
                point ->
                    SummarySnapshot.SummaryDataPointSnapshot.builder()
                        .count(point.getCount())
                        .sum(point.getSum())
                        .labels(point.getLabels())
                        .build())
            .toList());
  }
}
