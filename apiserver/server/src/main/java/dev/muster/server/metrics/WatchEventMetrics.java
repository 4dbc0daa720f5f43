package dev.muster.server.metrics;

import dev.muster.model.GroupVersionResource;
import dev.muster.types.ServedType;
import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts and measures the events that watches send, under upstream's metric names. Thread-safe. */
public final class WatchEventMetrics {
  private static final String[] LABELS = {"group", "version", "resource"};
  private static final double SMALLEST = 1024;
  private static final int BUCKETS = 8;

  private final Histogram sizes;
  private final Map<GroupVersionResource, Sent> resources = new ConcurrentHashMap<>();

  /** The events of one resource. */
  public static final class Sent {
    private final LongAdder events = new LongAdder();
    private final DistributionDataPoint sizes;

    private Sent(DistributionDataPoint sizes) {
      this.sizes = sizes;
    }

    /** Records one event, which takes so many bytes on the wire. */
    public void event(int bytes) {
      events.increment();
      sizes.observe(bytes);
    }
  }

  public WatchEventMetrics(PrometheusRegistry registry) {
    var bounds = new double[BUCKETS];
    for (int i = 0; i < BUCKETS; i++) {
      bounds[i] = SMALLEST * (1 << i);
    }
    sizes =
        Histogram.builder()
            .withoutExemplars()
            .name("apiserver_watch_events_sizes")
            .help("Sizes of watch events in bytes.")
            .labelNames(LABELS)
            .classicOnly()
            .classicUpperBounds(bounds)
            .register(registry);
    CounterWithCallback.builder()
        .name("apiserver_watch_events_total")
        .help("Events that watches sent to their clients.")
        .labelNames(LABELS)
        .callback(
            counter ->
                resources.forEach(
                    (resource, sent) ->
                        counter.call(
                            (double) sent.events.sum(),
                            resource.group(),
                            resource.version(),
                            resource.resource())))
        .register(registry);
  }

  /** Where the events of watches on that type are recorded. */
  public Sent of(ServedType type) {
    var kind = type.kind();
    return resources.computeIfAbsent(
        new GroupVersionResource(kind.group(), kind.version(), type.plural()),
        resource ->
            new Sent(sizes.labelValues(resource.group(), resource.version(), resource.resource())));
  }
}
