package dev.muster.store;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One put, delete or check in a transaction, with its guard. */
public sealed interface Operation {
  /** Guard of a key that must not exist. */
  long ABSENT = 0;

  /** Guard of a key that may be in any state. */
  long ANY = -1;

  String key();

  /**
   * The guard: the mod revision that the key must have, {@link #ABSENT}, {@link #ANY} or {@link
   * #notAfter}.
   */
  long expected();

  /** A guard that accepts an absent key and any key last written at or before that revision. */
  static long notAfter(long revision) {
    return ANY - 1 - revision;
  }

  /** The revision given to {@link #notAfter}; negative for every other guard. */
  static long latest(long expected) {
    return ANY - 1 - expected;
  }

  /**
   * Whether a key with that mod revision satisfies the guard; {@link #ABSENT} stands for no key.
   */
  static boolean isAsExpected(long expected, long modRevision) {
    return expected == ANY || expected == modRevision || latest(expected) >= modRevision;
  }

  /**
   * Writes a value. With a time to live, the store deletes the key that long after this commit,
   * unless another put replaces it first. A put without a time to live makes the key permanent.
   */
  record Put(String key, byte[] value, long expected, @Nullable Duration timeToLive)
      implements Operation {
    public Put(String key, byte[] value, long expected) {
      this(key, value, expected, null);
    }
  }

  /** Deletes a key. Deleting an absent key under {@link #ANY} changes nothing. */
  record Delete(String key, long expected) implements Operation {}

  /** Checks a guard and leaves the key unchanged. */
  record Check(String key, long expected) implements Operation {}
}
