package dev.muster.http.exchange;

import dev.muster.http.SharedBytes;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * A part that is already produced, followed by parts that are produced later. One thread at a time
 * uses it.
 */
final class PrefixedParts implements Iterator<SharedBytes> {
  private final Iterator<SharedBytes> others;
  private @Nullable SharedBytes first;

  PrefixedParts(SharedBytes first, Iterator<SharedBytes> others) {
    this.first = first;
    this.others = others;
  }

  @Override
  public boolean hasNext() {
    return first != null || others.hasNext();
  }

  @Override
  public SharedBytes next() {
    var part = first;
    if (part == null) {
      if (!others.hasNext()) {
        throw new NoSuchElementException();
      }
      return others.next();
    }
    first = null;
    return part;
  }
}
