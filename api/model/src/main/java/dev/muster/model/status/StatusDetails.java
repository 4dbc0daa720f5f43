package dev.muster.model.status;

import dev.muster.model.GroupResource;
import java.util.List;

/**
 * The details of a {@code Status}; empty texts and zero are omitted in the encoded form.
 *
 * @param kind the resource or kind that the error is about
 * @param retryAfterSeconds the time after which the client should retry; 0 for none
 */
public record StatusDetails(
    String name, String group, String kind, String uid, List<Cause> causes, int retryAfterSeconds) {

  /** No details: the Status omits the field. */
  public static final StatusDetails NONE = new StatusDetails("", "", "", "", List.of(), 0);

  /** Empty details: the Status has an empty object, which clients expect. */
  public static final StatusDetails EMPTY = new StatusDetails("", "", "", "", List.of(), 0);

  /** One cause; an empty field is omitted. */
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
