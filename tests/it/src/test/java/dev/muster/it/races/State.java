package dev.muster.it.races;

import java.util.Map;

/**
 * The object that clients race for, after one revision.
 *
 * @param uid "" when there is no object
 * @param notes its annotations
 */
record State(long revision, String uid, Map<String, String> notes) {
  State {
    notes = Map.copyOf(notes);
  }

  static State absent(long revision) {
    return new State(revision, "", Map.of());
  }

  boolean isAbsent() {
    return uid.isEmpty();
  }
}
