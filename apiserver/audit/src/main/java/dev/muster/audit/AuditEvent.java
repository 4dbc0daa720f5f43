package dev.muster.audit;

import dev.muster.model.User;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One event of the audit log. Immutable. Creating one is cheap; the writer of the log encodes it.
 *
 * @param impersonated the impersonated user; null without impersonation
 * @param constraint the verb that allowed the impersonation; "" for plain impersonation
 * @param object null for a request that is not about a resource
 * @param status null before there is a response
 * @param stageTime in microseconds since 1970
 * @param annotations sorted by key
 */
public record AuditEvent(
    AuditLevel level,
    AuditStage stage,
    AuditedRequest request,
    @Nullable User impersonated,
    String constraint,
    @Nullable AuditedReference object,
    @Nullable AuditStatus status,
    @Nullable AuditedObject requestObject,
    @Nullable AuditedObject responseObject,
    long stageTime,
    Map<String, String> annotations) {
  private static final String TRUNCATED = "audit.k8s.io/truncated";

  /** A copy without the request and response objects, marked as truncated. */
  public AuditEvent truncated() {
    var more = new TreeMap<>(annotations);
    more.put(TRUNCATED, "true");
    return new AuditEvent(
        level,
        stage,
        request,
        impersonated,
        constraint,
        object,
        status,
        null,
        null,
        stageTime,
        more);
  }

  /** The approximate memory of its objects in bytes. */
  public int weight() {
    return (requestObject == null ? 0 : requestObject.size())
        + (responseObject == null ? 0 : responseObject.size());
  }
}
