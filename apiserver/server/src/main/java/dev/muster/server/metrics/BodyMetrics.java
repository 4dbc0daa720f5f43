package dev.muster.server.metrics;

import dev.muster.types.ServedType;
import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Records the sizes of request bodies under upstream's metric name. Thread-safe. */
final class BodyMetrics {
  private record Labels(String group, String resource, String verb) {}

  private final Histogram sizes;
  private final Map<Labels, DistributionDataPoint> points = new ConcurrentHashMap<>();

  BodyMetrics(PrometheusRegistry registry) {
    sizes =
        Histogram.builder()
            .withoutExemplars()
            .name("apiserver_request_body_size_bytes")
            .help("Bytes of a request's body, as they were sent.")
            .labelNames("group", "resource", "verb")
            .classicOnly()
            .classicLinearUpperBounds(50_000, 100_000, 31)
            .register(registry);
  }

  void received(ServedType type, String verb, int length) {
    var labels = new Labels(type.kind().group(), type.plural(), verb);
    var point = points.get(labels);
    if (point == null) {
      point = points.computeIfAbsent(labels, this::point);
    }
    point.observe(length);
  }

  private DistributionDataPoint point(Labels labels) {
    return sizes.labelValues(
        labels.group(),
        labels.resource(),
        labels.verb().equals("deletecollection") ? "delete_collection" : labels.verb());
  }
}
