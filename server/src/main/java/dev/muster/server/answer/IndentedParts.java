package dev.muster.server.answer;

import dev.muster.server.http.Pieces;
import dev.muster.server.http.limits.OutgoingBudget;
import dev.muster.wire.Bytes;
import dev.muster.wire.JsonIndent;
import java.util.Iterator;
import java.util.NoSuchElementException;

/** Belongs to one thread at a time: JSON in parts, put on lines while they are taken. */
final class IndentedParts implements Iterator<Pieces> {
  private final Iterator<Pieces> compact;
  private final JsonIndent indent = new JsonIndent();
  private Pieces source = new Pieces();

  IndentedParts(Iterator<Pieces> compact) {
    this.compact = compact;
  }

  @Override
  public boolean hasNext() {
    return source.left() > 0 || compact.hasNext();
  }

  @Override
  public Pieces next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    var out = new Bytes(OutgoingBudget.PART + 4096);
    while (out.size() < OutgoingBudget.PART && hasNext()) {
      if (source.left() == 0) {
        source = compact.next();
      }
      source.take((array, from, to) -> indent.add(array, from, to, out, OutgoingBudget.PART));
    }
    return Pieces.of(out.toArray());
  }
}
