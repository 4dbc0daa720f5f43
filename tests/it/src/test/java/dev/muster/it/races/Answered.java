package dev.muster.it.races;

import dev.muster.it.races.RaceOperation.Reaction;
import java.util.Map;

/**
 * One request and its answer, as its client saw them.
 *
 * @param began before it was sent, in nanoseconds
 * @param ended after it was answered
 * @param revision the version of the object in the answer; 0 when the answer shows none
 * @param uid of the object in the answer, or of the one that was deleted; "" in a refusal
 * @param text what a refusal says
 */
record Answered(
    String client,
    RaceOperation operation,
    boolean dryRun,
    long began,
    long ended,
    int code,
    long revision,
    String uid,
    Map<String, String> notes,
    String text) {
  Answered {
    notes = Map.copyOf(notes);
  }

  Reaction reaction() {
    return new Reaction(code, notes);
  }

  /** Whether it changed the object. */
  boolean isWrite() {
    return code < 300 && !dryRun && !(operation instanceof RaceOperation.Get);
  }
}
