package dev.muster.controllers.metrics;

import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * The metrics of work queues. Queues with the same name are counted together. Counters and
 * durations outlive a queue; gauges are read from the existing queues. Thread-safe.
 */
public final class QueueMetrics {
  /** From ten nanoseconds to a thousand seconds. */
  private static final double[] BOUNDS = {
    1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1, 10, 100, 1000
  };

  private static final double NANOS = 1e9;

  /** The gauges of a queue; the queue guards them. */
  public interface Measured {
    String name();

    int depth();

    /** The total processing time of the running keys so far, in seconds. */
    double unfinishedSeconds();

    /** The processing time of the longest running key, in seconds. */
    double longestSeconds();
  }

  private final Set<Measured> open = ConcurrentHashMap.newKeySet();
  private final Counter adds;
  private final Counter retries;
  private final Histogram waited;
  private final Histogram worked;

  QueueMetrics(PrometheusRegistry registry) {
    adds = counter(registry, "workqueue_adds_total", "Keys that were added to a queue.");
    retries = counter(registry, "workqueue_retries_total", "Keys that get another try.");
    waited =
        histogram(
            registry,
            "workqueue_queue_duration_seconds",
            "How long keys wait in a queue before they are worked on.");
    worked =
        histogram(
            registry, "workqueue_work_duration_seconds", "How long it takes to work on a key.");
    gauge(registry, "workqueue_depth", "Keys that wait for their turn.", Measured::depth, true);
    gauge(
        registry,
        "workqueue_unfinished_work_seconds",
        "For how long the keys have been worked on that are worked on now, all together.",
        Measured::unfinishedSeconds,
        true);
    gauge(
        registry,
        "workqueue_longest_running_processor_seconds",
        "For how long the key has been worked on that began first.",
        Measured::longestSeconds,
        false);
  }

  private static Counter counter(PrometheusRegistry registry, String name, String help) {
    return Counter.builder().name(name).help(help).labelNames("name").register(registry);
  }

  private static Histogram histogram(PrometheusRegistry registry, String name, String help) {
    return Histogram.builder()
        .name(name)
        .help(help)
        .labelNames("name")
        .classicOnly()
        .classicUpperBounds(BOUNDS)
        .register(registry);
  }

  private void gauge(
      PrometheusRegistry registry,
      String name,
      String help,
      ToDoubleFunction<Measured> value,
      boolean added) {
    GaugeWithCallback.builder()
        .name(name)
        .help(help)
        .labelNames("name")
        .callback(
            callback -> values(value, added).forEach((queue, now) -> callback.call(now, queue)))
        .register(registry);
  }

  private Map<String, Double> values(ToDoubleFunction<Measured> value, boolean added) {
    return open.stream()
        .collect(
            Collectors.toMap(
                Measured::name, value::applyAsDouble, added ? Double::sum : Math::max));
  }

  /** Counts for a queue until the result is closed. */
  public OfQueue open(Measured queue) {
    open.add(queue);
    return new OfQueue(queue);
  }

  /** The counters of one queue. Thread-safe. */
  public final class OfQueue implements AutoCloseable {
    private final Measured queue;
    private final CounterDataPoint ownAdds;
    private final CounterDataPoint ownRetries;
    private final DistributionDataPoint ownWaited;
    private final DistributionDataPoint ownWorked;

    private OfQueue(Measured queue) {
      this.queue = queue;
      ownAdds = adds.labelValues(queue.name());
      ownRetries = retries.labelValues(queue.name());
      ownWaited = waited.labelValues(queue.name());
      ownWorked = worked.labelValues(queue.name());
    }

    public void added() {
      ownAdds.inc();
    }

    public void triedAgain() {
      ownRetries.inc();
    }

    public void waited(long nanos) {
      ownWaited.observe(nanos / NANOS);
    }

    public void worked(long nanos) {
      ownWorked.observe(nanos / NANOS);
    }

    @Override
    public void close() {
      open.remove(queue);
    }
  }
}
