package dev.muster.server.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.audit.AuditDecision;
import dev.muster.audit.AuditEvent;
import dev.muster.audit.AuditLevel;
import dev.muster.audit.AuditedRequest;
import dev.muster.model.User;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class AuthorizationAnnotationsTest {
  private final List<AuditEvent> events = new ArrayList<>();
  private final RequestAudit audit = received();

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
    var metrics = new AuditMetrics(new PrometheusRegistry());
    var log = new AuditLog(null, List.of(backend), metrics, Clock.systemUTC());
    var request =
        new AuditedRequest("id", "/api", "get", User.of("ann", "g"), List.of(), "", log.micros());
    var decision = new AuditDecision(AuditLevel.METADATA, Set.of(), false);
    return new RequestAudit(log, decision, request, null, false, false);
  }

  private Map<String, String> annotations() {
    audit.complete(200);
    return events.getLast().annotations();
  }

  @Test
  void sayWhatWasDecidedAndWhy() {
    audit.authorized(false, "no policy");
    assertThat(annotations())
        .containsOnly(
            Map.entry("authorization.k8s.io/decision", "forbid"),
            Map.entry("authorization.k8s.io/reason", "no policy"));
  }

  @Test
  void nameNoDecisionWhereNobodyCouldDecide() {
    audit.undecided();
    assertThat(annotations())
        .containsOnly(Map.entry("authorization.k8s.io/reason", "internal error"));
  }

  @Test
  void whatIsDecidedInTheEndCounts() {
    audit.undecided();
    audit.authorized(true, "");
    assertThat(annotations())
        .containsOnly(
            Map.entry("authorization.k8s.io/decision", "allow"),
            Map.entry("authorization.k8s.io/reason", ""));
  }
}
