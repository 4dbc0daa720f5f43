package dev.muster.server.http.exchange;

import dev.muster.server.http.Pieces;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** Belongs to one thread: a part that is there already, then those that are still to be made. */
final class PartsAfter implements Iterator<Pieces> {
  private final Iterator<Pieces> others;
  private @Nullable Pieces first;

  PartsAfter(Pieces first, Iterator<Pieces> others) {
    this.first = first;
    this.others = others;
  }

  @Override
  public boolean hasNext() {
    return first != null || others.hasNext();
  }

  @Override
  public Pieces next() {
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
