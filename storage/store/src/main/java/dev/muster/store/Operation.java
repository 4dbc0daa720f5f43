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

  /**
   * The mod revision that the key must have, {@link #ABSENT}, {@link #ANY} or {@link #notAfter}.
   */
  long expected();

  /** Expected of a key that must not have been written after that revision, if it ever was. */
  static long notAfter(long revision) {
    return ANY - 1 - revision;
  }

  /** The revision that {@link #notAfter} was given; negative when that is not what is expected. */
  static long latest(long expected) {
    return ANY - 1 - expected;
  }

  /** Whether a key with that mod revision, {@link #ABSENT} when it is not there, is as expected. */
  static boolean isAsExpected(long expected, long modRevision) {
    return expected == ANY || expected == modRevision || latest(expected) >= modRevision;
  }

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
