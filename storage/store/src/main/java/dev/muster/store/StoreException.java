package dev.muster.store;

import org.jspecify.annotations.Nullable;

/** Why a store call failed. Sealed, so that one class can translate every case for clients. */
public abstract sealed class StoreException extends RuntimeException {
  private StoreException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** The store cannot be reached or has no quorum. The same call may succeed later. */
  public static final class Unavailable extends StoreException {
    public Unavailable(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /**
   * The store has no space left. It wrote nothing, and accepts only transactions that free space.
   */
  public static final class Full extends StoreException {
    public Full(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /** The requested revision is older than the kept history. */
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

  /** The transaction exceeds the size limit of the store. */
  public static final class TooLarge extends StoreException {
    public TooLarge(String message) {
      super(message, null);
    }
  }

  /**
   * The data is damaged or belongs to another application. The store refuses it and leaves it
   * unchanged.
   */
  public static final class Unusable extends StoreException {
    public Unusable(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /**
   * The store has replaced history, for example after a restore, or cannot prove that its history
   * is still the same. This is final: everything read from the store so far may never have
   * happened. Open the store anew.
   */
  public static final class Replaced extends StoreException {
    public Replaced(String message) {
      super(message, null);
    }
  }

  /** A value could not be encrypted as configured. The store wrote nothing. */
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
