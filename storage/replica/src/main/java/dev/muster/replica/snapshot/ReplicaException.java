package dev.muster.replica.snapshot;

import dev.muster.replica.object.UnreadableObject;

/** Why the replica cannot answer; sealed, so that one border can translate all. */
public abstract sealed class ReplicaException extends RuntimeException {
  private ReplicaException(String message) {
    super(message, null, false, false);
  }

  /** The revision asked for is older than what is kept, or the cursor was too slow: 410. */
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

    /** The oldest revision that would have been served. */
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

  /** The replica has not loaded the cluster yet: 503, try again. */
  public static final class NotLoaded extends ReplicaException {
    public NotLoaded() {
      super("storage is initializing");
    }
  }

  /**
   * The store has another history than the one that was followed: what the replica holds may never
   * have happened. 503, and it stays so.
   */
  public static final class Replaced extends ReplicaException {
    public Replaced() {
      super("the store's history was replaced; the API server has to read everything anew");
    }
  }

  /** The replica does not follow its store any more: 503. */
  public static final class Closed extends ReplicaException {
    public Closed() {
      super("the replica has stopped");
    }
  }
}
