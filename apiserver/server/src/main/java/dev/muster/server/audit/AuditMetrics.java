package dev.muster.server.audit;

import dev.muster.audit.AuditLevel;
import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts audit events under upstream's metric names, and logs lost events at a limited rate.
 * Thread-safe.
 */
final class AuditMetrics {
  private static final Logger LOG = LoggerFactory.getLogger(AuditMetrics.class);
  private static final long BETWEEN_COMPLAINTS = TimeUnit.SECONDS.toNanos(10);

  private final Counter events;
  private final Counter errors;
  private final Counter rejected;
  private final Map<AuditLevel, CounterDataPoint> levels = new EnumMap<>(AuditLevel.class);
  private final AtomicLong nextComplaint = new AtomicLong(System.nanoTime());
  private final AtomicLong lost = new AtomicLong();

  AuditMetrics(PrometheusRegistry registry) {
    events =
        Counter.builder()
            .name("apiserver_audit_event_total")
            .help("Audit events made and handed to the backends.")
            .register(registry);
    errors =
        Counter.builder()
            .name("apiserver_audit_error_total")
            .help("Audit events lost, by the part that lost them.")
            .labelNames("plugin")
            .register(registry);
    rejected =
        Counter.builder()
            .name("apiserver_audit_requests_rejected_total")
            .help("Requests refused because they could not be logged.")
            .register(registry);
    var byLevel =
        Counter.builder()
            .name("apiserver_audit_level_total")
            .help("Requests by the level at which the policy has them logged.")
            .labelNames("level")
            .register(registry);
    for (var level : AuditLevel.values()) {
      levels.put(level, byLevel.labelValues(level.text()));
    }
  }

  void level(AuditLevel level) {
    var counter = levels.get(level);
    if (counter != null) {
      counter.inc();
    }
  }

  void event() {
    events.inc();
  }

  void rejected() {
    rejected.inc();
  }

  /**
   * Counts lost events. It logs few of them: a full audit disk must not fill the log's disk, too.
   */
  void error(String plugin, int count, String why) {
    errors.labelValues(plugin).inc(count);
    long all = lost.addAndGet(count);
    long now = System.nanoTime();
    long next = nextComplaint.get();
    if (now - next >= 0 && nextComplaint.compareAndSet(next, now + BETWEEN_COMPLAINTS)) {
      LOG.error("audit: {} lost {} events: {}; {} so far", plugin, count, why, all);
    }
  }
}
