package dev.muster.server.chain;

import dev.muster.registry.commit.AuditAnnotations.Layer;
import dev.muster.server.audit.AuditLog;
import dev.muster.server.request.Request;
import java.util.Map;

/** Used on event loops. Where requests enter the audit log, if they do. */
final class AuditedRequests {
  private final AuditLog log;

  AuditedRequests(AuditLog log) {
    this.log = log;
  }

  /** Goes on when the request is received, which is nearly always at once. */
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

  /** Nobody could be authenticated. */
  void refused(Request request, Map<String, String> annotations) {
    begin(request, false, annotations);
  }

  /**
   * @param annotations what is said about the credentials
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
