package dev.muster.server;

import dev.muster.schema.ResourceCatalog;
import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts and times requests under upstream's metric names. Label values come from the served types
 * only, so that no client can make them grow. Safe for any thread.
 */
final class RequestMetrics {
  private record Labels(
      String verb,
      String group,
      String version,
      String resource,
      String subresource,
      String scope) {}

  private record Answered(Labels labels, int code, boolean dryRun) {}

  private final ResourceCatalog catalog;
  private final Counter total;
  private final Histogram duration;
  private final Histogram sizes;
  private final Map<Answered, CounterDataPoint> totals = new ConcurrentHashMap<>();
  private final Map<Labels, DistributionDataPoint> durations = new ConcurrentHashMap<>();

  RequestMetrics(ResourceCatalog catalog, PrometheusRegistry registry) {
    this.catalog = catalog;
    this.total =
        Counter.builder()
            .name("apiserver_request_total")
            .help("Requests by what they were about and how they were answered.")
            .labelNames(
                "verb",
                "dry_run",
                "group",
                "version",
                "resource",
                "subresource",
                "scope",
                "component",
                "code")
            .register(registry);
    this.duration =
        Histogram.builder()
            .name("apiserver_request_duration_seconds")
            .help("Time from a request to its answer.")
            .labelNames("verb", "group", "version", "resource", "subresource", "scope", "component")
            .classicOnly()
            .classicUpperBounds(
                0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10,
                15, 20, 30, 45, 60)
            .register(registry);
    this.sizes =
        Histogram.builder()
            .name("apiserver_response_sizes")
            .help("Bytes of an answer's body.")
            .labelNames("verb", "group", "version", "resource", "subresource", "scope", "component")
            .classicOnly()
            .classicUpperBounds(1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9)
            .register(registry);
  }

  void answered(Request request, int status, long length) {
    var labels = labels(request.info());
    var key = new Answered(labels, status, request.query().has("dryRun"));
    var counter = totals.get(key);
    if (counter == null) {
      counter = totals.computeIfAbsent(key, this::counter);
    }
    counter.inc();
    if (!request.info().verb().equals("watch")) {
      var timer = durations.get(labels);
      if (timer == null) {
        timer = durations.computeIfAbsent(labels, this::timer);
      }
      timer.observe((double) (System.nanoTime() - request.started()) / 1e9);
    }
    if (length > 0 && request.info().verb().equals("list")) {
      size(labels).observe((double) length);
    }
  }

  private CounterDataPoint counter(Answered key) {
    var labels = key.labels();
    return total.labelValues(
        labels.verb(),
        key.dryRun() ? "All" : "",
        labels.group(),
        labels.version(),
        labels.resource(),
        labels.subresource(),
        labels.scope(),
        "apiserver",
        Integer.toString(key.code()));
  }

  private DistributionDataPoint timer(Labels labels) {
    return duration.labelValues(
        labels.verb(),
        labels.group(),
        labels.version(),
        labels.resource(),
        labels.subresource(),
        labels.scope(),
        "apiserver");
  }

  private DistributionDataPoint size(Labels labels) {
    return sizes.labelValues(
        labels.verb(),
        labels.group(),
        labels.version(),
        labels.resource(),
        labels.subresource(),
        labels.scope(),
        "apiserver");
  }

  private Labels labels(RequestInfo info) {
    var type =
        info.resourceRequest() ? catalog.find(info.group(), info.version(), info.resource()) : null;
    if (type == null) {
      return new Labels(verb(info.verb()), "", "", "", "", "");
    }
    var subresource = type.has(info.subresource()) ? info.subresource() : "";
    var scope =
        !info.name().isEmpty() ? "resource" : info.namespace().isEmpty() ? "cluster" : "namespace";
    return new Labels(
        verb(info.verb()),
        type.kind().group(),
        type.kind().version(),
        type.plural(),
        subresource,
        scope);
  }

  private static String verb(String verb) {
    return switch (verb) {
      case "create" -> "POST";
      case "update" -> "PUT";
      case "get", "list", "watch", "patch", "delete", "deletecollection" ->
          verb.toUpperCase(Locale.ROOT);
      default -> "other";
    };
  }
}
