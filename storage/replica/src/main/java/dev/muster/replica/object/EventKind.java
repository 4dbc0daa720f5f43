package dev.muster.replica.object;

import java.nio.charset.StandardCharsets;

/** The kind of a watch event. A selector can turn a modification into any of the three. */
public enum EventKind {
  ADDED(0),
  MODIFIED(1),
  DELETED(2);

  private final int number;

  private final byte[] prefix =
      ("{\"type\":\"" + name() + "\",\"object\":").getBytes(StandardCharsets.UTF_8);

  EventKind(int number) {
    this.number = number;
  }

  /** The index of this kind. */
  public int number() {
    return number;
  }

  /** A watch event as a line of JSON, around an object encoded in JSON. */
  public byte[] jsonFrame(byte[] object) {
    var frame = new byte[prefix.length + object.length + 2];
    System.arraycopy(prefix, 0, frame, 0, prefix.length);
    System.arraycopy(object, 0, frame, prefix.length, object.length);
    frame[frame.length - 2] = '}';
    frame[frame.length - 1] = '\n';
    return frame;
  }
}
