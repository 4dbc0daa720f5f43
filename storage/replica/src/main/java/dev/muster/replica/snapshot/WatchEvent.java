package dev.muster.replica.snapshot;

import dev.muster.replica.object.EventKind;
import dev.muster.replica.object.Form;
import dev.muster.replica.object.StoredObject;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A change of one object, shared by everybody who watches its collection. Immutable. */
public final class WatchEvent {
  private static final int KINDS = EventKind.values().length;

  /** Takes the place of the frames of an event that is too old to keep them. */
  private static final byte @Nullable [][] FORGOTTEN = {};

  private final long sequence;
  private final long revision;
  private final long millis;
  private final @Nullable StoredObject object;
  private final @Nullable StoredObject previous;
  private final @Nullable Collection before;
  private volatile byte @Nullable [] @Nullable [] frames;

  /**
   * @param sequence its number in the collection
   * @param millis when it was applied
   * @param before the collection before it, kept at some events for those who look back
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

  /** Its number among the events of its collection, which are numbered without gaps. */
  public long sequence() {
    return sequence;
  }

  public long revision() {
    return revision;
  }

  /** When it was applied, by the replica's clock. */
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

  /** Whether the collection changed in a way that watchers are not told. */
  boolean silent() {
    return object == null && previous == null;
  }

  /**
   * About how much memory would be free without it: itself, its share of the versions of the
   * collection that are kept, and the object that it replaced.
   */
  long weight() {
    return 560 + (previous == null ? 0 : previous.json().length + 256L);
  }

  /** What this is to a watcher that sees every object. */
  public EventKind kind() {
    return object == null
        ? EventKind.DELETED
        : previous == null ? EventKind.ADDED : EventKind.MODIFIED;
  }

  /** The object before the change with this event's resource version, as deletions show it. */
  public StoredObject deletedObject() {
    if (previous == null) {
      throw new IllegalStateException("nothing was there before revision " + revision);
    }
    return previous.deletedAt(revision);
  }

  /** The line of JSON that says ADDED; made once and shared. */
  public byte[] added() {
    return frame(EventKind.ADDED);
  }

  /** The line of JSON that says MODIFIED; made once and shared. */
  public byte[] modified() {
    return frame(EventKind.MODIFIED);
  }

  /** The line of JSON that says DELETED, with {@link #deletedObject}; made once and shared. */
  public byte[] deleted() {
    return frame(EventKind.DELETED);
  }

  /** The line of JSON of that kind; made once and shared. */
  public byte[] frame(EventKind kind) {
    var known = remembered(kind.number());
    return known != null ? known : make(kind, null);
  }

  /** The watch frame of that kind in another encoding; made once and shared. */
  public byte[] frame(EventKind kind, Form form) {
    var known = remembered(place(kind, form));
    return known != null ? known : make(kind, form);
  }

  /** The object that a watcher is shown. */
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

  /** Under a lock, so that many watchers at once make a frame once. */
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
      // A copy, so that whoever reads it without the lock sees whole frames only.
      var more =
          all == null ? new byte[length][] : Arrays.copyOf(all, Math.max(all.length, length));
      more[place] = made;
      frames = more;
    }
    return made;
  }

  /** Stops remembering frames: the watchers that follow closely have had theirs. */
  synchronized void forget() {
    frames = FORGOTTEN;
  }

  @Override
  public String toString() {
    return kind() + " " + (object != null ? object : previous) + " at " + revision;
  }
}
