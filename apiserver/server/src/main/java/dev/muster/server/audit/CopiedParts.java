package dev.muster.server.audit;

import dev.muster.http.SharedBytes;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * Used by one thread at a time. The parts of an answer as they go by, copied up to some size: what
 * is larger is not kept, and the event says so.
 */
final class CopiedParts implements Iterator<SharedBytes> {
  private final Iterator<SharedBytes> parts;
  private final long most;
  private final List<byte[]> copied = new ArrayList<>();
  private long size;

  CopiedParts(Iterator<SharedBytes> parts, long most) {
    this.parts = parts;
    this.most = most;
  }

  @Override
  public boolean hasNext() {
    return parts.hasNext();
  }

  @Override
  public SharedBytes next() {
    var part = parts.next();
    size += part.left();
    if (size <= most) {
      var bytes = part.toArray();
      copied.add(bytes);
      var again = new SharedBytes();
      again.add(bytes);
      return again;
    }
    copied.clear();
    return part;
  }

  /** Whether all of it is there. */
  boolean isWhole() {
    return size <= most && !parts.hasNext();
  }

  List<byte[]> copied() {
    return copied;
  }
}
