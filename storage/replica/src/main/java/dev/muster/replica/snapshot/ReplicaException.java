package dev.muster.replica.snapshot;

import dev.muster.replica.object.UnreadableObject;

/**
 * Why the replica cannot answer. Sealed, so that one class can translate every case for clients.
 */
public abstract sealed class ReplicaException extends RuntimeException {
  private ReplicaException(String message) {
    super(message, null, false, false);
  }

  /** The requested revision is older than the kept history, or the cursor was too slow: 410. */
  public static final class Expired extends ReplicaException {
    private final long asked;
    private final long oldest;

    public Expired(long asked, long oldest) {
      super("too old resource version: " + asked + " (" + oldest + ")");
      this.asked = asked;
      this.oldest = oldest;
    }

    public long asked() {
      return asked;
    }

    /** The oldest revision that the replica could serve. */
    public long oldest() {
      return oldest;
    }
  }

  /** The stored value of this object cannot be decoded: 500. */
  public static final class Unreadable extends ReplicaException {
    private final UnreadableObject object;

    public Unreadable(UnreadableObject object) {
      super("unable to decode the value of key " + object.key() + ": " + object.why());
      this.object = object;
    }

    public UnreadableObject object() {
      return object;
    }
  }

  /** The replica has not loaded the cluster yet: 503, retry later. */
  public static final class NotLoaded extends ReplicaException {
    public NotLoaded() {
      super("storage is initializing");
    }
  }

  /**
   * The store has replaced history, so the replica's state may never have existed: 503, for good.
   */
  public static final class Replaced extends ReplicaException {
    public Replaced() {
      super("the store's history was replaced; the API server has to read everything anew");
    }
  }

  /** The replica no longer follows its store: 503. */
  public static final class Closed extends ReplicaException {
    public Closed() {
      super("the replica has stopped");
    }
  }
}
