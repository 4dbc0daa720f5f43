package dev.muster.server.metrics;

import dev.muster.types.scheduling.FairScheduler;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;

/** Metrics of the CPU pool: running and waiting tasks. */
public final class SchedulerMetrics {
  private SchedulerMetrics() {}

  public static void register(FairScheduler scheduler, PrometheusRegistry registry) {
    GaugeWithCallback.builder()
        .name("muster_long_tasks")
        .help("Tasks that take long on the CPU, by whether they have a place or wait for one.")
        .labelNames("state")
        .callback(
            gauge -> {
              gauge.call(scheduler.running(), "running");
              gauge.call(scheduler.waiting(), "waiting");
            })
        .register(registry);
    CounterWithCallback.builder()
        .name("muster_long_tasks_begun")
        .help("Tasks that were expected to take long on the CPU.")
        .callback(counter -> counter.call((double) scheduler.begun()))
        .register(registry);
  }
}
