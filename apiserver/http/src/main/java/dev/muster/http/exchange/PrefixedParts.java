package dev.muster.http.exchange;

import dev.muster.http.SharedBytes;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** Belongs to one thread: a part that is there already, then those that are still to be made. */
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
