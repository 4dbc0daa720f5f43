package dev.muster.it.races;

import java.util.HashMap;
import java.util.Map;

/** What a client can ask for, and what one object does with it. */
sealed interface RaceOperation {

  /** What the object does in that state. */
  Reaction on(State state);

  /**
   * An answer.
   *
   * @param notes the object's annotations in it; empty in a refusal and after a delete
   */
  record Reaction(int code, Map<String, String> notes) {
    public Reaction {
      notes = Map.copyOf(notes);
    }

    static Reaction refusal(int code) {
      return new Reaction(code, Map.of());
    }
  }

  record Get() implements RaceOperation {
    @Override
    public Reaction on(State state) {
      return state.isAbsent() ? Reaction.refusal(404) : new Reaction(200, state.notes());
    }
  }

  record Create(String key, String value) implements RaceOperation {
    @Override
    public Reaction on(State state) {
      return state.isAbsent() ? new Reaction(201, Map.of(key, value)) : Reaction.refusal(409);
    }
  }

  /**
   * @param creates whether objects of this kind are made by a PUT
   * @param revision the version on which the client insists; 0 for none
   * @param uid the UID on which the client insists; "" for none
   */
  record Put(Map<String, String> notes, boolean creates, long revision, String uid)
      implements RaceOperation {
    @Override
    public Reaction on(State state) {
      if (state.isAbsent()) {
        if (!creates) {
          return Reaction.refusal(404);
        }
        return uid.isEmpty() ? new Reaction(201, notes) : Reaction.refusal(409);
      }
      boolean other = !uid.isEmpty() && !uid.equals(state.uid());
      return other || (revision != 0 && revision != state.revision())
          ? Reaction.refusal(409)
          : new Reaction(200, notes);
    }
  }

  /** A merge patch or a strategic one. */
  record Patch(boolean strategic, String key, String value, long revision)
      implements RaceOperation {
    @Override
    public Reaction on(State state) {
      if (state.isAbsent()) {
        return Reaction.refusal(404);
      }
      return revision != 0 && revision != state.revision()
          ? Reaction.refusal(409)
          : new Reaction(200, with(state, key, value));
    }
  }

  /** A JSON patch that replaces a value if it is the expected one. */
  record Swap(String key, String expected, String value) implements RaceOperation {
    @Override
    public Reaction on(State state) {
      if (state.isAbsent()) {
        return Reaction.refusal(404);
      }
      return expected.equals(state.notes().get(key))
          ? new Reaction(200, with(state, key, value))
          : Reaction.refusal(422);
    }
  }

  /** A server-side apply, not forced, of a key that nobody else sets. */
  record Apply(String manager, String key, String value) implements RaceOperation {
    @Override
    public Reaction on(State state) {
      return state.isAbsent()
          ? new Reaction(201, Map.of(key, value))
          : new Reaction(200, with(state, key, value));
    }
  }

  /**
   * @param revision the version on which the client insists; 0 for none
   * @param uid the UID on which the client insists; "" for none
   */
  record Delete(long revision, String uid) implements RaceOperation {
    @Override
    public Reaction on(State state) {
      if (state.isAbsent()) {
        return Reaction.refusal(404);
      }
      boolean other = !uid.isEmpty() && !uid.equals(state.uid());
      return other || (revision != 0 && revision != state.revision())
          ? Reaction.refusal(409)
          : new Reaction(200, Map.of());
    }
  }

  private static Map<String, String> with(State state, String key, String value) {
    var notes = new HashMap<>(state.notes());
    notes.put(key, value);
    return notes;
  }
}
