package dev.muster.audit;

import dev.muster.model.User;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The part that all audit events of one request share. Immutable.
 *
 * @param uri path and query as sent
 * @param user the authenticated user; null when authentication failed
 * @param sourceIps from the client to the last proxy
 * @param received in microseconds since 1970
 */
public record AuditedRequest(
    String auditId,
    String uri,
    String verb,
    @Nullable User user,
    List<String> sourceIps,
    String userAgent,
    long received) {
  private static final int LONGEST_AGENT = 1024;

  public AuditedRequest {
    sourceIps = List.copyOf(sourceIps);
    if (userAgent.length() > LONGEST_AGENT) {
      userAgent = userAgent.substring(0, LONGEST_AGENT) + "...TRUNCATED";
    }
  }
}
