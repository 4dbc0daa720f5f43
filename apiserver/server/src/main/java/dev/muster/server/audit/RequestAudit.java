package dev.muster.server.audit;

import dev.muster.audit.AuditDecision;
import dev.muster.audit.AuditEvent;
import dev.muster.audit.AuditLevel;
import dev.muster.audit.AuditStage;
import dev.muster.audit.AuditStatus;
import dev.muster.audit.AuditedObject;
import dev.muster.audit.AuditedReference;
import dev.muster.audit.AuditedRequest;
import dev.muster.http.SharedBytes;
import dev.muster.model.User;
import dev.muster.model.gocompat.GoDuration;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.commit.AuditAnnotations;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Collects the audit data of one request and emits an event at each stage. One thread at a time
 * uses it.
 *
 * <ul>
 *   <li>RequestReceived: after authentication.
 *   <li>ResponseStarted: when a long-running response begins. After failed authentication it is the
 *       only stage.
 *   <li>ResponseComplete: at the end, or Panic when the server failed. No stage follows either.
 * </ul>
 */
public final class RequestAudit {
  private static final String LATENCY = "apiserver.latency.k8s.io/total";
  private static final long SLOW_MICROS = 500_000;

  /** Larger responses are not copied into events. */
  private static final long MOST_COPIED = 16 * 1024 * 1024;

  private final AuditLog log;
  private final AuditDecision decision;
  private final AuditedRequest request;
  private final boolean isLong;
  private final boolean unauthenticated;
  private final AuditAnnotations annotations;
  private @Nullable AuditedReference object;
  private @Nullable User impersonated;
  private String constraint = "";
  private String verdict = "";
  private String reason = "";
  private @Nullable AuditStatus status;
  private @Nullable AuditedObject requestObject;
  private @Nullable AuditedObject responseObject;
  private @Nullable CopiedParts copied;
  private String copiedType = "";
  private boolean oversized;
  private boolean panicked;
  private boolean started;
  private boolean over;

  /**
   * @param isLong whether the response may be a long-running stream
   * @param unauthenticated whether the credentials were refused
   */
  RequestAudit(
      AuditLog log,
      AuditDecision decision,
      AuditedRequest request,
      @Nullable AuditedReference object,
      boolean isLong,
      boolean unauthenticated) {
    this.log = log;
    this.decision = decision;
    this.annotations = new AuditAnnotations(decision.level().isAtLeast(AuditLevel.REQUEST));
    this.request = request;
    this.object = object;
    this.isLong = isLong;
    this.unauthenticated = unauthenticated;
  }

  /** Emits RequestReceived. Completes with false when the request must be rejected. */
  public CompletableFuture<Boolean> received() {
    return emit(AuditStage.REQUEST_RECEIVED, request.received());
  }

  /** The annotations that admission and other steps add. */
  public AuditAnnotations annotations() {
    return annotations;
  }

  /** Records the impersonated user. */
  public void impersonated(User other, String allowedBy) {
    impersonated = other;
    constraint = allowedBy;
  }

  /** Records the authorization decision; the last one counts. */
  public void authorized(boolean allowed, String why) {
    verdict = allowed ? "allow" : "forbid";
    reason = why;
  }

  /** Records that no authorizer allowed the request and at least one failed. */
  public void undecided() {
    verdict = "";
    reason = "internal error";
  }

  /**
   * Records the decoded object of the request.
   *
   * @param shown converts the object to the version in which it was sent
   * @param bytes of its body
   */
  public void requestObject(JsonObject tree, UnaryOperator<JsonObject> shown, int bytes) {
    var known = object;
    if (known != null) {
      var metadata = tree.object("metadata");
      object =
          known.filledFrom(
              metadata.string("namespace"),
              metadata.string("name"),
              metadata.string("uid"),
              metadata.string("resourceVersion"));
    }
    if (decision.level().isAtLeast(AuditLevel.REQUEST)) {
      requestObject = AuditedObjects.of(shown.apply(tree), bytes, decision.omitManagedFields());
    }
  }

  /** Records a body that is not decoded yet. */
  public void requestBody(String contentType, byte[] body) {
    if (decision.level().isAtLeast(AuditLevel.REQUEST) && body.length > 0) {
      requestObject = AuditedObjects.sent(contentType, body);
    }
  }

  /** Records a patch. */
  public void patch(String contentType, byte[] body) {
    if (decision.level().isAtLeast(AuditLevel.REQUEST)) {
      requestObject = AuditedObjects.patch(contentType, body);
    }
  }

  private boolean showsAnswer() {
    return decision.level() == AuditLevel.REQUEST_RESPONSE;
  }

  /** Records the object of the response, which may be a Status. */
  public void answer(int code, JsonObject body) {
    if (body.string("kind").equals("Status")) {
      status = AuditStatus.of(code, body);
    }
    if (showsAnswer()) {
      responseObject = AuditedObjects.of(body, 0, decision.omitManagedFields());
    }
  }

  /** Records the encoded object of the response. */
  public void answer(String contentType, List<byte[]> body) {
    if (showsAnswer()) {
      responseObject = AuditedObjects.answer(contentType, body, decision.omitManagedFields());
    }
  }

  /** Wraps the parts of the response to copy them, if the event shows the response. */
  public Iterator<SharedBytes> answer(String contentType, Iterator<SharedBytes> parts) {
    if (!showsAnswer() || AuditedObjects.encoding(contentType) == null) {
      return parts;
    }
    copiedType = contentType;
    var copying = new CopiedParts(parts, MOST_COPIED);
    copied = copying;
    return copying;
  }

  /** Records that the server failed, and answers with that failure. */
  public void panicked(Throwable failure) {
    panicked = true;
    status = AuditStatus.panicked(String.valueOf(failure));
  }

  /** Records that the head of the response is sent; {@link #ended} follows. */
  public void started(int code) {
    code(code);
    if ((isLong || unauthenticated) && !started) {
      started = true;
      emit(AuditStage.RESPONSE_STARTED, log.micros());
    }
  }

  private void code(int code) {
    var known = status;
    status = known == null ? AuditStatus.of(code) : new AuditStatus(code, known.fields());
  }

  /**
   * Records that the response is complete. The server sends it when the future completes, with any
   * value.
   */
  public CompletableFuture<Boolean> complete(int code) {
    if (over) {
      return AuditBackend.TAKEN;
    }
    if (panicked) {
      return finish(AuditStage.PANIC);
    }
    started(code);
    return unauthenticated ? AuditBackend.TAKEN : finish(AuditStage.RESPONSE_COMPLETE);
  }

  /** Records that the response was sent or the client has gone. */
  public void ended() {
    if (over || unauthenticated) {
      return;
    }
    if (status == null) {
      status = AuditStatus.closedEarly();
      if (isLong) {
        emit(AuditStage.RESPONSE_STARTED, log.micros());
      }
    }
    var parts = copied;
    if (parts != null) {
      if (parts.isWhole()) {
        responseObject =
            AuditedObjects.answer(copiedType, parts.copied(), decision.omitManagedFields());
      } else {
        oversized = true;
      }
    }
    finish(panicked ? AuditStage.PANIC : AuditStage.RESPONSE_COMPLETE);
  }

  private CompletableFuture<Boolean> finish(AuditStage stage) {
    over = true;
    long now = log.micros();
    long took = now - request.received();
    if (took > SLOW_MICROS && stage == AuditStage.RESPONSE_COMPLETE) {
      annotations.addLatencies();
      annotations.add(LATENCY, GoDuration.format(Duration.ofNanos(took * 1000)));
    }
    return emit(stage, now);
  }

  private CompletableFuture<Boolean> emit(AuditStage stage, long time) {
    if (decision.omitted().contains(stage)) {
      return AuditBackend.TAKEN;
    }
    var event =
        new AuditEvent(
            decision.level(),
            stage,
            request,
            impersonated,
            constraint,
            object,
            status,
            requestObject,
            responseObject,
            time,
            annotationsNow());
    return log.process(oversized ? event.truncated() : event);
  }

  private Map<String, String> annotationsNow() {
    var cluster = log.cluster();
    boolean decided = !verdict.isEmpty();
    if (!decided && reason.isEmpty() && cluster.isEmpty() && annotations.isEmpty()) {
      return Map.of();
    }
    var all = annotations.all();
    all.putAll(cluster);
    if (decided) {
      all.put("authorization.k8s.io/decision", verdict);
    }
    if (decided || !reason.isEmpty()) {
      all.put("authorization.k8s.io/reason", reason);
    }
    return all;
  }
}
