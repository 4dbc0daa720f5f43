package dev.muster.replica;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A change of one object, shared by everybody who watches its collection. Immutable. */
public final class WatchEvent {
  /** What a watcher is told; a selector can turn a modification into any of the three. */
  public enum Kind {
    ADDED,
    MODIFIED,
    DELETED;

    final byte[] prefix =
        ("{\"type\":\"" + name() + "\",\"object\":").getBytes(StandardCharsets.UTF_8);
  }

  WatchEvent() {}

  public long revision() {
    return Pending.body();
  }

  /** The object after the change, or null when it was deleted. */
  public @Nullable StoredObject object() {
    return Pending.body();
  }

  /** The object before the change, or null when it was created. */
  public @Nullable StoredObject previous() {
    return Pending.body();
  }

  /** What this is to a watcher that sees every object. */
  public Kind kind() {
    return Pending.body();
  }

  /** The object before the change with this event's resource version, as deletions show it. */
  public StoredObject deletedObject() {
    return Pending.body();
  }

  /** The line of JSON that says ADDED; made once and shared. */
  public byte[] added() {
    return frame(Kind.ADDED);
  }

  /** The line of JSON that says MODIFIED; made once and shared. */
  public byte[] modified() {
    return frame(Kind.MODIFIED);
  }

  /** The line of JSON that says DELETED, with {@link #deletedObject}; made once and shared. */
  public byte[] deleted() {
    return frame(Kind.DELETED);
  }

  /** The line of JSON of that kind; made once and shared. */
  public byte[] frame(Kind kind) {
    return Pending.body();
  }

  /** The watch frame of that kind in another encoding; made once and shared. */
  public byte[] frame(Kind kind, Form form) {
    return Pending.body();
  }

  /** A line of JSON that tells of an object encoded in JSON. */
  static byte[] jsonFrame(Kind kind, byte[] object) {
    var prefix = kind.prefix;
    var frame = new byte[prefix.length + object.length + 2];
    System.arraycopy(prefix, 0, frame, 0, prefix.length);
    System.arraycopy(object, 0, frame, prefix.length, object.length);
    frame[frame.length - 2] = '}';
    frame[frame.length - 1] = '\n';
    return frame;
  }
}
