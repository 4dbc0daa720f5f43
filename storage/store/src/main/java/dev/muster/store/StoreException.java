package dev.muster.store;

import org.jspecify.annotations.Nullable;

/** Why a store could not do what it was asked; sealed, so that one border can translate all. */
public abstract sealed class StoreException extends RuntimeException {
  private StoreException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** The store cannot be reached or has no quorum; the same call may succeed later. */
  public static final class Unavailable extends StoreException {
    public Unavailable(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /** There is no room: nothing was written, and only what makes room is taken. */
  public static final class Full extends StoreException {
    public Full(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /** The revision asked for is older than the kept history. */
  public static final class Compacted extends StoreException {
    private final long compactedRevision;

    public Compacted(long compactedRevision) {
      super("history up to revision " + compactedRevision + " is compacted", null);
      this.compactedRevision = compactedRevision;
    }

    public long compactedRevision() {
      return compactedRevision;
    }
  }

  /** The transaction is larger than the store takes. */
  public static final class TooLarge extends StoreException {
    public TooLarge(String message) {
      super(message, null);
    }
  }

  /** The data cannot be trusted or is not ours: refused and left untouched. */
  public static final class Unusable extends StoreException {
    public Unusable(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /**
   * The store has another history than the one that was followed, as after a restored backup, or it
   * cannot be told that it is the same. Final: everything that was read from the store so far may
   * never have happened. The store has to be opened anew.
   */
  public static final class Replaced extends StoreException {
    public Replaced(String message) {
      super(message, null);
    }
  }

  /** A value cannot be encrypted as it must be: nothing was written. */
  public static final class NotEncrypted extends StoreException {
    public NotEncrypted(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /** The store was closed. */
  public static final class Closed extends StoreException {
    public Closed() {
      super("the store is closed", null);
    }
  }
}
