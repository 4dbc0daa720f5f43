package dev.muster.registry.request;

import dev.muster.model.User;
import dev.muster.registry.commit.AuditAnnotations;
import dev.muster.registry.commit.Deadline;
import dev.muster.registry.commit.WriteGuard;
import java.util.function.Consumer;

/**
 * Who makes a call, and on which terms.
 *
 * @param userAgent the client's own name, whose first part is the default field manager
 * @param deadline until when it must be answered
 * @param warnings takes texts for the Warning header
 * @param annotations what the audit log will say of the request
 * @param permission whether the user may do this in a snapshot; NONE for the server itself
 */
public record RequestContext(
    User user,
    String userAgent,
    Deadline deadline,
    Consumer<String> warnings,
    AuditAnnotations annotations,
    WriteGuard permission) {

  /** Somebody who may do everything, of whom the audit log says nothing. */
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
