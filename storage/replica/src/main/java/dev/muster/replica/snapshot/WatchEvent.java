package dev.muster.replica.snapshot;

import dev.muster.replica.object.EventKind;
import dev.muster.replica.object.Form;
import dev.muster.replica.object.StoredObject;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A change of one object, shared by all watches of its collection. Immutable, except for cached
 * frames.
 */
public final class WatchEvent {
  private static final int KINDS = EventKind.values().length;

  /** Replaces the frames of an event that is too old to keep them. */
  private static final byte @Nullable [][] FORGOTTEN = {};

  private final long sequence;
  private final long revision;
  private final long millis;
  private final @Nullable StoredObject object;
  private final @Nullable StoredObject previous;
  private final @Nullable Collection before;
  private volatile byte @Nullable [] @Nullable [] frames;

  /**
   * @param sequence the number of the event in its collection
   * @param millis the time at which the applier applied it
   * @param before the collection before the event; kept at some events, for reads of old revisions
   */
  public WatchEvent(
      long sequence,
      long revision,
      long millis,
      @Nullable StoredObject object,
      @Nullable StoredObject previous,
      @Nullable Collection before) {
    this.sequence = sequence;
    this.revision = revision;
    this.millis = millis;
    this.object = object;
    this.previous = previous;
    this.before = before;
  }

  /** The number of the event in its collection. Numbers have no gaps. */
  public long sequence() {
    return sequence;
  }

  public long revision() {
    return revision;
  }

  /** The time at which the applier applied the event, by the replica's clock. */
  public long millis() {
    return millis;
  }

  /** The object after the change, or null when it was deleted. */
  public @Nullable StoredObject object() {
    return object;
  }

  /** The object before the change, or null when it was created. */
  public @Nullable StoredObject previous() {
    return previous;
  }

  @Nullable Collection before() {
    return before;
  }

  /** Whether watchers do not see the change. */
  boolean silent() {
    return object == null && previous == null;
  }

  /**
   * The approximate memory that dropping the event would free: the event, its share of the kept
   * versions of the collection, and the replaced object.
   */
  long weight() {
    return 560 + (previous == null ? 0 : previous.json().length + 256L);
  }

  /** The kind of this event for a watcher without a selector. */
  public EventKind kind() {
    return object == null
        ? EventKind.DELETED
        : previous == null ? EventKind.ADDED : EventKind.MODIFIED;
  }

  /**
   * The object before the change, with this event's resource version, as DELETED events carry it.
   */
  public StoredObject deletedObject() {
    if (previous == null) {
      throw new IllegalStateException("nothing was there before revision " + revision);
    }
    return previous.deletedAt(revision);
  }

  /** The ADDED frame as a line of JSON, encoded once and shared. */
  public byte[] added() {
    return frame(EventKind.ADDED);
  }

  /** The MODIFIED frame as a line of JSON, encoded once and shared. */
  public byte[] modified() {
    return frame(EventKind.MODIFIED);
  }

  /** The DELETED frame with {@link #deletedObject} as a line of JSON, encoded once and shared. */
  public byte[] deleted() {
    return frame(EventKind.DELETED);
  }

  /** The frame of that kind as a line of JSON, encoded once and shared. */
  public byte[] frame(EventKind kind) {
    var known = remembered(kind.number());
    return known != null ? known : make(kind, null);
  }

  /** The frame of that kind in another encoding, encoded once and shared. */
  public byte[] frame(EventKind kind, Form form) {
    var known = remembered(place(kind, form));
    return known != null ? known : make(kind, form);
  }

  /** The object that a frame of that kind contains. */
  public StoredObject subject(EventKind kind) {
    if (kind == EventKind.DELETED) {
      return deletedObject();
    }
    if (object == null) {
      throw new IllegalStateException("nothing is there after revision " + revision);
    }
    return object;
  }

  private static int place(EventKind kind, @Nullable Form form) {
    return form == null ? kind.number() : (1 + form.slot()) * KINDS + kind.number();
  }

  private byte @Nullable [] remembered(int place) {
    var all = frames;
    return all == null || place >= all.length ? null : all[place];
  }

  /** Encodes a frame under a lock, so that many watchers at once encode it only once. */
  private synchronized byte[] make(EventKind kind, @Nullable Form form) {
    int place = place(kind, form);
    var known = remembered(place);
    if (known != null) {
      return known;
    }
    var subject = subject(kind);
    var made = form == null ? kind.jsonFrame(subject.json()) : form.frame(kind, subject.form(form));
    var all = frames;
    if (all != FORGOTTEN) {
      int length = place < KINDS ? KINDS : (1 + Form.SLOTS) * KINDS;
      // Copy the array, so that readers without the lock see only complete frames.
      var more =
          all == null ? new byte[length][] : Arrays.copyOf(all, Math.max(all.length, length));
      more[place] = made;
      frames = more;
    }
    return made;
  }

  /** Drops the cached frames; watchers that keep up have already received theirs. */
  synchronized void forget() {
    frames = FORGOTTEN;
  }

  @Override
  public String toString() {
    return kind() + " " + (object != null ? object : previous) + " at " + revision;
  }
}
