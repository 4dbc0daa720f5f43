package dev.muster.server.audit;

import dev.muster.http.SharedBytes;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * Copies the parts of a response while they are sent, up to a size limit. The event of a larger
 * response says that it was omitted. One thread at a time uses it.
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

  /** Whether the whole response was copied. */
  boolean isWhole() {
    return size <= most && !parts.hasNext();
  }

  List<byte[]> copied() {
    return copied;
  }
}
