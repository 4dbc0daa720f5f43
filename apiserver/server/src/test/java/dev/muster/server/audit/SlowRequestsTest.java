package dev.muster.server.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.audit.AuditDecision;
import dev.muster.audit.AuditEvent;
import dev.muster.audit.AuditLevel;
import dev.muster.audit.AuditedRequest;
import dev.muster.model.User;
import dev.muster.registry.commit.AuditAnnotations.Layer;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Events say where a request that took long has spent its time. */
class SlowRequestsTest {
  private static final String KEY = "apiserver.latency.k8s.io/";

  private final List<AuditEvent> events = new ArrayList<>();
  private Instant now = Instant.EPOCH;

  private RequestAudit received() {
    var backend =
        new AuditBackend() {
          @Override
          public CompletableFuture<Boolean> process(AuditEvent event) {
            events.add(event);
            return TAKEN;
          }

          @Override
          public void close() {}
        };
    InstantSource source = () -> now;
    Clock clock = source.withZone(ZoneOffset.UTC);
    var log =
        new AuditLog(null, List.of(backend), new AuditMetrics(new PrometheusRegistry()), clock);
    var request =
        new AuditedRequest("id", "/api", "get", User.of("ann", "g"), List.of(), "", log.micros());
    var decision = new AuditDecision(AuditLevel.METADATA, Set.of(), false);
    return new RequestAudit(log, decision, request, null, false, false);
  }

  @Test
  void showTheirLayersAndTheSumOfAllAttempts() {
    var audit = received();
    audit.annotations().took(Layer.QUEUE, Duration.ofMillis(300).toNanos());
    audit.annotations().took(Layer.STORE, Duration.ofMillis(100).toNanos());
    audit.annotations().begin();
    audit.annotations().took(Layer.STORE, Duration.ofMillis(50).toNanos());
    now = now.plusMillis(501);
    audit.complete(200);
    assertThat(events.getLast().annotations())
        .containsOnlyKeys(KEY + "apf-queue-wait", KEY + "etcd", KEY + "total")
        .containsEntry(KEY + "apf-queue-wait", "300ms")
        .containsEntry(KEY + "etcd", "150ms")
        .containsEntry(KEY + "total", "501ms");
  }

  @Test
  void othersShowNone() {
    var audit = received();
    audit.annotations().took(Layer.STORE, Duration.ofMillis(100).toNanos());
    now = now.plusMillis(500);
    audit.complete(200);
    assertThat(events.getLast().annotations()).isEmpty();
  }
}
