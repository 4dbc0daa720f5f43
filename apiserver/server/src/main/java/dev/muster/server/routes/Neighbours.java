package dev.muster.server.routes;

import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;

/** The components that run in the same process as the API server. Thread-safe. */
public final class Neighbours {
  private final Map<String, BooleanSupplier> running = new ConcurrentHashMap<>();
  private final List<PrometheusRegistry> metrics = new CopyOnWriteArrayList<>();

  /**
   * @param component as ComponentStatus names it
   * @param runs whether the component is still running
   */
  public void add(String component, BooleanSupplier runs) {
    running.put(component, runs);
  }

  /** Adds the metrics of a component to those that the server exposes. */
  public void add(PrometheusRegistry counted) {
    metrics.add(counted);
  }

  boolean runs(String component) {
    var runs = running.get(component);
    return runs != null && runs.getAsBoolean();
  }

  /** The metrics of the server and its neighbours. If two have the same name, the server's wins. */
  MetricSnapshots scrape(PrometheusRegistry own) {
    var first = own.scrape();
    if (metrics.isEmpty()) {
      return first;
    }
    var names = new HashSet<String>();
    var all = new ArrayList<MetricSnapshot>();
    for (var snapshot : first) {
      names.add(snapshot.getMetadata().getPrometheusName());
      all.add(snapshot);
    }
    for (var other : metrics) {
      for (var snapshot : other.scrape()) {
        if (names.add(snapshot.getMetadata().getPrometheusName())) {
          all.add(snapshot);
        }
      }
    }
    return new MetricSnapshots(all);
  }
}
