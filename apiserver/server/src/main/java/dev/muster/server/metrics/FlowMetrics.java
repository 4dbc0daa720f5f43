package dev.muster.server.metrics;

import dev.muster.flowcontrol.PriorityLevels;
import dev.muster.flowcontrol.metrics.Distribution;
import dev.muster.flowcontrol.metrics.FlowCounts;
import dev.muster.flowcontrol.metrics.KindUsage;
import dev.muster.flowcontrol.metrics.LevelCounts;
import dev.muster.flowcontrol.metrics.UsageCounts;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * Metrics of priority and fairness under upstream's names. They cost nothing until they are
 * scraped. Thread-safe.
 */
public final class FlowMetrics implements MultiCollector {
  /** The usage of reads or writes, waiting or running. */
  public interface Usage {
    KindUsage of(boolean writes, boolean waiting);
  }

  private final PriorityLevels levels;
  private final Usage usage;

  private FlowMetrics(PriorityLevels levels, Usage usage) {
    this.levels = levels;
    this.usage = usage;
  }

  public static void register(PriorityLevels levels, Usage usage, PrometheusRegistry registry) {
    registry.register(new FlowMetrics(levels, usage));
    GaugeWithCallback.builder()
        .name("apiserver_current_inqueue_requests")
        .help("Requests that wait in queues, by whether they write.")
        .labelNames("request_kind")
        .callback(
            gauge -> {
              gauge.call(usage.of(true, true).count(), "mutating");
              gauge.call(usage.of(false, true).count(), "readOnly");
            })
        .register(registry);
  }

  @Override
  public MetricSnapshots collect() {
    long now = System.nanoTime();
    var families = new FlowFamilies(levels.counts(now));
    limits(families);
    demand(families);
    meter(families);
    flows(families);
    usage(families, now);
    families.plain(
        "seat_fair_frac",
        "Part of what they want that all levels get that are at no bound.",
        levels.fairFraction());
    return families.build();
  }

  private static void limits(FlowFamilies families) {
    families.level("nominal_limit_seats", "Seats by its share.", LevelCounts::nominal);
    families.level(
        "lower_limit_seats", "Seats when others borrow all they may.", LevelCounts::least);
    families.level("upper_limit_seats", "Seats when it borrows all it may.", LevelCounts::most);
    families.level("current_limit_seats", "Seats that it has now.", LevelCounts::current);
  }

  private static void demand(FlowFamilies families) {
    families.level(
        "demand_seats_high_watermark",
        "Most seats that it could have used in the last period.",
        LevelCounts::peak);
    families.level(
        "demand_seats_average",
        "Seats that it could have used in the last period, on average.",
        LevelCounts::average);
    families.level(
        "demand_seats_stdev", "Standard deviation of that average.", LevelCounts::deviation);
    families.level("demand_seats_smoothed", "Demand for seats, smoothed.", LevelCounts::smoothed);
    families.level("target_seats", "Seats that it was to have.", LevelCounts::target);
    families.levelHistogram(
        "demand_seats",
        "For how long it could have used which part of its seats, in nanoseconds.",
        List.of(),
        level -> level.usage().demand());
  }

  private static void meter(FlowFamilies families) {
    families.level("current_r", "Reading of its meter of work.", LevelCounts::meter);
    reading(families, "dispatch_r", "Reading at the last dispatch.", UsageCounts::dispatchReading);
    reading(families, "latest_s", "Reading at which that was due.", UsageCounts::latestStart);
    bounds(
        families,
        "next_s_bounds",
        "Least and most reading at which queues were due at the last dispatch.",
        UsageCounts::leastStart,
        UsageCounts::mostStart);
    bounds(
        families,
        "next_discounted_s_bounds",
        "The same, without the expected work of what runs.",
        UsageCounts::leastDiscounted,
        UsageCounts::mostDiscounted);
  }

  private static void reading(
      FlowFamilies families, String name, String help, ToDoubleFunction<UsageCounts> figure) {
    families.level(name, help, level -> figure.applyAsDouble(level.usage()));
  }

  private static void bounds(
      FlowFamilies families,
      String name,
      String help,
      ToDoubleFunction<UsageCounts> least,
      ToDoubleFunction<UsageCounts> most) {
    families.bounds(
        name,
        help,
        level -> least.applyAsDouble(level.usage()),
        level -> most.applyAsDouble(level.usage()));
  }

  private static void flows(FlowFamilies families) {
    families.flow("current_inqueue_requests", "Requests that wait in queues.", FlowCounts::waiting);
    families.flow("current_inqueue_seats", "Seats that they want.", FlowCounts::seatsWaiting);
    families.flow("current_executing_requests", "Requests that run.", FlowCounts::executing);
    families.flow("current_executing_seats", "Seats that they have.", FlowCounts::seatsExecuting);
    families.counter("dispatched_requests", "Requests that were let in.", FlowCounts::dispatched);
    families.refused("rejected_requests", "Requests that were sent away.");
    families.counter(
        "request_dispatch_no_accommodation",
        "How often a request whose turn it was found too few seats.",
        FlowCounts::noAccommodation);
    families.flowHistogram(
        "request_queue_length_after_enqueue",
        "Length of the queue as a request saw it that joined it.",
        List.of(),
        FlowCounts::queueLengths);
    families.flowHistogram(
        "request_wait_duration_seconds",
        "Time in a queue.",
        List.of("execute", "true"),
        FlowCounts::waitsToExecution);
    families.flowHistogram(
        "request_wait_duration_seconds",
        "Time in a queue.",
        List.of("execute", "false"),
        FlowCounts::waitsToRefusal);
    families.flowHistogram(
        "request_execution_seconds",
        "Time with seats.",
        List.of("type", "regular"),
        FlowCounts::executions);
    families.flowHistogram(
        "request_execution_seconds",
        "Time with seats.",
        List.of("type", "watch"),
        FlowCounts::watchExecutions);
    families.flowHistogram(
        "watch_count_samples", "Watches to be told of a write.", List.of(), FlowCounts::watchers);
    families.flowHistogram(
        "work_estimated_seats", "Seats that a request wants.", List.of(), FlowCounts::seats);
  }

  private void usage(FlowFamilies families, long now) {
    phase(families, "waiting", UsageCounts::waiting);
    phase(families, "executing", UsageCounts::executing);
    families.levelHistogram(
        "priority_level_seat_utilization",
        "For how long which part of its seats was in use, in nanoseconds.",
        List.of("phase", "executing"),
        level -> level.usage().seats());
    for (boolean writes : new boolean[] {false, true}) {
      for (boolean waiting : new boolean[] {false, true}) {
        families.histogram(
            "read_vs_write_current_requests",
            "For how long which part of the requests that may waited or ran, in nanoseconds.",
            List.of(
                "phase", waiting ? "waiting" : "executing",
                "request_kind", writes ? "mutating" : "readOnly"),
            usage.of(writes, waiting).copy(now));
      }
    }
  }

  private static void phase(
      FlowFamilies families, String phase, Function<UsageCounts, Distribution> figure) {
    families.levelHistogram(
        "priority_level_request_utilization",
        "For how long which part of the requests that may waited or ran, in nanoseconds.",
        List.of("phase", phase),
        level -> figure.apply(level.usage()));
  }
}
