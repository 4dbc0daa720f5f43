package dev.muster.server.metrics;

import dev.muster.flowcontrol.metrics.Distribution;
import dev.muster.flowcontrol.metrics.FlowCounts;
import dev.muster.flowcontrol.metrics.LevelCounts;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/** Builds metric families from the counts of priority levels. One thread uses it. */
final class FlowFamilies {
  private static final String PREFIX = "apiserver_flowcontrol_";
  private static final String LEVEL = "priority_level";
  private static final String SCHEMA = "flow_schema";

  private final List<LevelCounts> levels;
  private final List<MetricSnapshot> made = new ArrayList<>();
  private final Map<MetricMetadata, List<HistogramSnapshot.HistogramDataPointSnapshot>> histograms =
      new LinkedHashMap<>();
  private final Map<String, MetricMetadata> names = new LinkedHashMap<>();

  FlowFamilies(List<LevelCounts> levels) {
    this.levels = levels;
  }

  /** All families; call nothing afterwards. */
  MetricSnapshots build() {
    histograms.forEach((name, points) -> made.add(new HistogramSnapshot(name, points)));
    return new MetricSnapshots(made);
  }

  void plain(String name, String help, double value) {
    made.add(
        new GaugeSnapshot(
            new MetricMetadata(PREFIX + name, help), List.of(gauge(value, Labels.EMPTY))));
  }

  void level(String name, String help, ToDoubleFunction<LevelCounts> figure) {
    var points =
        levels.stream()
            .map(level -> gauge(figure.applyAsDouble(level), Labels.of(LEVEL, level.name())))
            .toList();
    made.add(new GaugeSnapshot(new MetricMetadata(PREFIX + name, help), points));
  }

  void bounds(
      String name,
      String help,
      ToDoubleFunction<LevelCounts> least,
      ToDoubleFunction<LevelCounts> most) {
    var points = new ArrayList<GaugeSnapshot.GaugeDataPointSnapshot>();
    for (var level : levels) {
      points.add(gauge(least.applyAsDouble(level), Labels.of("bound", "min", LEVEL, level.name())));
      points.add(gauge(most.applyAsDouble(level), Labels.of("bound", "max", LEVEL, level.name())));
    }
    made.add(new GaugeSnapshot(new MetricMetadata(PREFIX + name, help), points));
  }

  private static GaugeSnapshot.GaugeDataPointSnapshot gauge(double value, Labels labels) {
    return new GaugeSnapshot.GaugeDataPointSnapshot(value, labels, null);
  }

  void flow(String name, String help, ToDoubleFunction<FlowCounts> figure) {
    var points = new ArrayList<GaugeSnapshot.GaugeDataPointSnapshot>();
    for (var level : levels) {
      for (var flow : level.flows()) {
        points.add(gauge(figure.applyAsDouble(flow), labels(level, flow)));
      }
    }
    made.add(new GaugeSnapshot(new MetricMetadata(PREFIX + name, help), points));
  }

  private static Labels labels(LevelCounts level, FlowCounts flow) {
    return Labels.of(SCHEMA, flow.schema(), LEVEL, level.name());
  }

  /** A counter of each flow; the library appends {@code _total} to the name. */
  void counter(String name, String help, ToLongFunction<FlowCounts> figure) {
    var points = new ArrayList<CounterSnapshot.CounterDataPointSnapshot>();
    for (var level : levels) {
      for (var flow : level.flows()) {
        points.add(count(figure.applyAsLong(flow), labels(level, flow)));
      }
    }
    made.add(new CounterSnapshot(new MetricMetadata(PREFIX + name, help), points));
  }

  /** The number of rejected requests by reason. */
  void refused(String name, String help) {
    var points = new ArrayList<CounterSnapshot.CounterDataPointSnapshot>();
    for (var level : levels) {
      for (var flow : level.flows()) {
        flow.refused()
            .forEach(
                (why, count) ->
                    points.add(count(count, labels(level, flow).add("reason", why.reason()))));
      }
    }
    made.add(new CounterSnapshot(new MetricMetadata(PREFIX + name, help), points));
  }

  private static CounterSnapshot.CounterDataPointSnapshot count(long value, Labels labels) {
    return new CounterSnapshot.CounterDataPointSnapshot(value, labels, null, 0L);
  }

  void levelHistogram(
      String name, String help, List<String> more, Function<LevelCounts, Distribution> figure) {
    for (var level : levels) {
      add(name, help, Labels.of(LEVEL, level.name()), more, figure.apply(level));
    }
  }

  void flowHistogram(
      String name, String help, List<String> more, Function<FlowCounts, Distribution> figure) {
    for (var level : levels) {
      for (var flow : level.flows()) {
        add(name, help, labels(level, flow), more, figure.apply(flow));
      }
    }
  }

  void histogram(String name, String help, List<String> labels, Distribution figure) {
    add(name, help, Labels.EMPTY, labels, figure);
  }

  private void add(
      String name, String help, Labels labels, List<String> more, Distribution figure) {
    var all = labels;
    for (int i = 0; i < more.size(); i += 2) {
      all = all.add(more.get(i), more.get(i + 1));
    }
    var buckets = ClassicHistogramBuckets.builder();
    for (int i = 0; i < figure.counts().length; i++) {
      double bound = i < figure.bounds().length ? figure.bounds()[i] : Double.POSITIVE_INFINITY;
      buckets.bucket(bound, figure.counts()[i]);
    }
    var metadata = names.computeIfAbsent(name, key -> new MetricMetadata(PREFIX + key, help));
    histograms
        .computeIfAbsent(metadata, key -> new ArrayList<>())
        .add(
            new HistogramSnapshot.HistogramDataPointSnapshot(
                buckets.build(), figure.sum(), all, null, 0L));
  }
}
