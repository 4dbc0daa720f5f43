package dev.muster.store;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One guarded step of a transaction. */
public sealed interface Operation {
  /** Expected mod revision of a key that must not exist. */
  long ABSENT = 0;

  /** Expected mod revision of a key that may be in any state. */
  long ANY = -1;

  String key();

  /** The mod revision that the key must have, {@link #ABSENT} or {@link #ANY}. */
  long expected();

  /**
   * Writes a value. With a time to live the key is deleted that long after this commit unless it is
   * put again; a put without one makes the key permanent.
   */
  record Put(String key, byte[] value, long expected, @Nullable Duration timeToLive)
      implements Operation {
    public Put(String key, byte[] value, long expected) {
      this(key, value, expected, null);
    }
  }

  /** Removes a key; removing an absent key under {@link #ANY} changes nothing. */
  record Delete(String key, long expected) implements Operation {}

  /** Only a guard: the key stays as it is. */
  record Check(String key, long expected) implements Operation {}
}
