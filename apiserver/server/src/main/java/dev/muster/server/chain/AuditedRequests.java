package dev.muster.server.chain;

import dev.muster.registry.commit.AuditAnnotations.Layer;
import dev.muster.server.audit.AuditLog;
import dev.muster.server.request.Request;
import java.util.Map;

/** Starts the audit log entries of requests that the audit policy selects. Event loops use it. */
final class AuditedRequests {
  private final AuditLog log;

  AuditedRequests(AuditLog log) {
    this.log = log;
  }

  /**
   * Starts the audit of an authenticated request and then runs {@code next}, nearly always at once.
   */
  void received(Request request, Map<String, String> annotations, Runnable next) {
    begin(request, true, annotations);
    var audit = request.audit();
    if (audit == null) {
      next.run();
      return;
    }
    var received = audit.received();
    if (received.isDone()) {
      goOn(request, received.join(), next);
    } else {
      received.thenAccept(taken -> request.onLoop(() -> goOn(request, taken, next)));
    }
  }

  private void goOn(Request request, boolean taken, Runnable next) {
    if (!taken) {
      log.rejected();
      request.audit(null);
      request.answerInternalError("failed to store audit event");
      return;
    }
    next.run();
  }

  /** Starts the audit of a request whose authentication failed. */
  void refused(Request request, Map<String, String> annotations) {
    begin(request, false, annotations);
  }

  /**
   * @param annotations audit annotations about the credentials
   */
  private void begin(Request request, boolean authenticated, Map<String, String> annotations) {
    var audit =
        log.begin(
            request.exchange(),
            request.attributes(),
            request.auditId(),
            authenticated,
            request.info().isLong(),
            request.started());
    request.audit(audit);
    if (audit != null) {
      audit.annotations().took(Layer.AUTHENTICATION, System.nanoTime() - request.started());
      if (!annotations.isEmpty()) {
        annotations.forEach(audit.annotations()::add);
        audit.annotations().keep();
      }
    }
  }
}
