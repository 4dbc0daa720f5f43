package dev.muster.registry.request;

import dev.muster.model.User;
import dev.muster.registry.commit.AuditAnnotations;
import dev.muster.registry.commit.Deadline;
import dev.muster.registry.commit.WriteGuard;
import java.util.function.Consumer;

/**
 * The user of a request and the terms of its answer.
 *
 * @param userAgent the client's User-Agent, whose first part is the default field manager
 * @param deadline when the request must be answered
 * @param warnings receives texts for the Warning header
 * @param annotations the annotations of the audit event
 * @param permission checks that the user may do this in a snapshot; NONE for the server itself
 */
public record RequestContext(
    User user,
    String userAgent,
    Deadline deadline,
    Consumer<String> warnings,
    AuditAnnotations annotations,
    WriteGuard permission) {

  /** The context of a user who may do everything and whose requests are not audited. */
  public static RequestContext trusted(
      User user, String userAgent, Deadline deadline, Consumer<String> warnings) {
    return new RequestContext(
        user, userAgent, deadline, warnings, AuditAnnotations.IGNORED, WriteGuard.NONE);
  }

  RequestContext withWarnings(Consumer<String> other) {
    return new RequestContext(user, userAgent, deadline, other, annotations, permission);
  }

  RequestContext alsoNeeding(WriteGuard other) {
    return new RequestContext(
        user, userAgent, deadline, warnings, annotations, permission.and(other));
  }
}
