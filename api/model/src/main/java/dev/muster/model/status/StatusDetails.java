package dev.muster.model.status;

import dev.muster.model.GroupResource;
import java.util.List;

/**
 * The details of a {@code Status}; empty texts and zero are left out when it is written.
 *
 * @param kind the resource or kind that the error is about
 * @param retryAfterSeconds when the client should try again; 0 says nothing
 */
public record StatusDetails(
    String name, String group, String kind, String uid, List<Cause> causes, int retryAfterSeconds) {

  /** No details at all: the Status has no such member. */
  public static final StatusDetails NONE = new StatusDetails("", "", "", "", List.of(), 0);

  /** Details without content: the Status has an empty member, as clients have come to expect. */
  public static final StatusDetails EMPTY = new StatusDetails("", "", "", "", List.of(), 0);

  /** One cause; an empty field is left out. */
  public record Cause(String reason, String message, String field) {}

  public StatusDetails {
    causes = List.copyOf(causes);
  }

  public static StatusDetails of(GroupResource resource, String name) {
    return new StatusDetails(name, resource.group(), resource.resource(), "", List.of(), 0);
  }

  public StatusDetails withRetryAfter(int seconds) {
    return new StatusDetails(name, group, kind, uid, causes, seconds);
  }

  public StatusDetails withCauses(List<Cause> newCauses) {
    return new StatusDetails(name, group, kind, uid, newCauses, retryAfterSeconds);
  }
}
