package dev.muster.audit;

import dev.muster.model.User;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One line of the audit log. Immutable, and cheap to make: what it says is turned into bytes by
 * whoever writes it.
 *
 * @param impersonated in whose name it was asked; null for the user's own
 * @param constraint the verb by which that was allowed; "" for the old one
 * @param object null for what is no resource
 * @param status null before there is an answer
 * @param stageTime in microseconds since 1970
 * @param annotations in the order of their keys
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

  /** Without its objects, and saying so. */
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

  /** About how many bytes of objects it keeps in memory. */
  public int weight() {
    return (requestObject == null ? 0 : requestObject.size())
        + (responseObject == null ? 0 : responseObject.size());
  }
}
