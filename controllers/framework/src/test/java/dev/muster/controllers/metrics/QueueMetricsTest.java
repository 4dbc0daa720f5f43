package dev.muster.controllers.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.controllers.loop.WorkQueue;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class QueueMetricsTest {
  private static final String MEASURED = "measured";
  private final PrometheusRegistry registry = ControllerMetrics.OF_PROCESS.registry();

  @Test
  void aQueueSaysWhatItHasDoneAndWhatItIsAt() {
    var gate = new CountDownLatch(1);
    var tries = new AtomicInteger();
    try (var queue =
        new WorkQueue<String>(
            MEASURED,
            1,
            Duration.ofMillis(5),
            key -> {
              if (key.equals("blocks")) {
                pass(gate);
              }
              return !key.equals("fails") || tries.incrementAndGet() == 3;
            })) {
      queue.add("blocks");
      await().until(() -> gauge("workqueue_longest_running_processor_seconds", MEASURED) > 0);
      queue.add("fails");
      queue.add("fails");
      queue.add("waits");
      assertThat(gauge("workqueue_depth", MEASURED)).isEqualTo(2);
      assertThat(gauge("workqueue_unfinished_work_seconds", MEASURED)).isPositive();
      gate.countDown();
      await().until(() -> tries.get() == 3);
      await().until(() -> gauge("workqueue_longest_running_processor_seconds", MEASURED) == 0);
      assertThat(counter("workqueue_retries")).isEqualTo(2);
      assertThat(counter("workqueue_adds")).isEqualTo(5);
      assertThat(count("workqueue_queue_duration_seconds")).isEqualTo(5);
      assertThat(count("workqueue_work_duration_seconds")).isEqualTo(5);
    }
    assertThat(points("workqueue_depth", MEASURED, Function.identity())).isEmpty();
    assertThat(counter("workqueue_adds")).isEqualTo(5);
  }

  @Test
  void queuesOfOneNameAreCountedAsOne() {
    var gate = new CountDownLatch(1);
    try (var one = blocked(gate);
        var other = blocked(gate)) {
      one.add("a");
      other.add("b");
      await().until(() -> one.depth() == 0 && other.depth() == 0);
      one.add("c");
      other.add("d");
      assertThat(gauge("workqueue_depth", "shared")).isEqualTo(2);
      gate.countDown();
    }
  }

  private static WorkQueue<String> blocked(CountDownLatch gate) {
    return new WorkQueue<>(
        "shared",
        1,
        Duration.ofMillis(5),
        key -> {
          pass(gate);
          return true;
        });
  }

  private static void pass(CountDownLatch gate) {
    try {
      gate.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private double gauge(String name, String queue) {
    return points(name, queue, point -> ((GaugeDataPointSnapshot) point).getValue()).getFirst();
  }

  private double counter(String name) {
    return points(name, MEASURED, point -> ((CounterDataPointSnapshot) point).getValue())
        .getFirst();
  }

  private long count(String name) {
    return points(name, MEASURED, point -> ((HistogramDataPointSnapshot) point).getCount())
        .getFirst();
  }

  private <T> List<T> points(String name, String queue, Function<DataPointSnapshot, T> value) {
    return registry.scrape(metric -> metric.equals(name)).stream()
        .flatMap(metric -> metric.getDataPoints().stream())
        .filter(point -> queue.equals(point.getLabels().get("name")))
        .<T>map(value)
        .toList();
  }
}
