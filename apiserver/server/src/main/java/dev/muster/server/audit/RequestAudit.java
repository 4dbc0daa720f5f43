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
 * Used by one thread at a time, as its request is. What the audit log is told about one request:
 * collected on its way, and made into an event at each stage.
 *
 * <ul>
 *   <li>RequestReceived when it is known who asks.
 *   <li>ResponseStarted when an answer begins that may go on for long, and as the only one for
 *       somebody who could not be authenticated.
 *   <li>ResponseComplete at the end, or Panic when the server failed. Nothing follows either.
 * </ul>
 */
public final class RequestAudit {
  private static final String LATENCY = "apiserver.latency.k8s.io/total";
  private static final long SLOW_MICROS = 500_000;

  /** Answers that are larger are not kept for an event. */
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
   * @param isLong whether the answer may go on for long
   * @param unauthenticated whether credentials were refused
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

  /** Whether it is received, so that it may go on; false when it must not. */
  public CompletableFuture<Boolean> received() {
    return emit(AuditStage.REQUEST_RECEIVED, request.received());
  }

  /** For those who admit the request. */
  public AuditAnnotations annotations() {
    return annotations;
  }

  /** The request goes on in another's name. */
  public void impersonated(User other, String allowedBy) {
    impersonated = other;
    constraint = allowedBy;
  }

  /** What was decided last counts. */
  public void authorized(boolean allowed, String why) {
    verdict = allowed ? "allow" : "forbid";
    reason = why;
  }

  /** Nobody has allowed it, and somebody who could have was not able to say. */
  public void undecided() {
    verdict = "";
    reason = "internal error";
  }

  /**
   * The object that was sent is read.
   *
   * @param shown the object in the version in which it was sent
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

  /** An object was sent that nobody has read yet. */
  public void requestBody(String contentType, byte[] body) {
    if (decision.level().isAtLeast(AuditLevel.REQUEST) && body.length > 0) {
      requestObject = AuditedObjects.sent(contentType, body);
    }
  }

  /** A patch was sent. */
  public void patch(String contentType, byte[] body) {
    if (decision.level().isAtLeast(AuditLevel.REQUEST)) {
      requestObject = AuditedObjects.patch(contentType, body);
    }
  }

  private boolean showsAnswer() {
    return decision.level() == AuditLevel.REQUEST_RESPONSE;
  }

  /** The answer is this object, which may be a Status. */
  public void answer(int code, JsonObject body) {
    if (body.string("kind").equals("Status")) {
      status = AuditStatus.of(code, body);
    }
    if (showsAnswer()) {
      responseObject = AuditedObjects.of(body, 0, decision.omitManagedFields());
    }
  }

  /** The answer is these bytes of an object. */
  public void answer(String contentType, List<byte[]> body) {
    if (showsAnswer()) {
      responseObject = AuditedObjects.answer(contentType, body, decision.omitManagedFields());
    }
  }

  /** The parts of the answer, which are kept for the event when it shows them. */
  public Iterator<SharedBytes> answer(String contentType, Iterator<SharedBytes> parts) {
    if (!showsAnswer() || AuditedObjects.encoding(contentType) == null) {
      return parts;
    }
    copiedType = contentType;
    var copying = new CopiedParts(parts, MOST_COPIED);
    copied = copying;
    return copying;
  }

  /** The server failed, and answers with that. */
  public void panicked(Throwable failure) {
    panicked = true;
    status = AuditStatus.panicked(String.valueOf(failure));
  }

  /** The head of the answer is sent, and {@link #ended} will follow. */
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

  /** The whole answer is there. It is sent when the future is complete, whatever its value. */
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

  /** The answer has been sent, or nobody is there to take it. */
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
