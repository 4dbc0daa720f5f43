package dev.muster.server.answer;

import dev.muster.http.SharedBytes;
import dev.muster.http.limits.OutgoingBudget;
import dev.muster.wire.Bytes;
import dev.muster.wire.JsonIndent;
import java.util.Iterator;
import java.util.NoSuchElementException;

/** Indents JSON part by part, while the parts are taken. One thread at a time uses it. */
final class IndentedParts implements Iterator<SharedBytes> {
  private final Iterator<SharedBytes> compact;
  private final JsonIndent indent = new JsonIndent();
  private SharedBytes source = new SharedBytes();

  IndentedParts(Iterator<SharedBytes> compact) {
    this.compact = compact;
  }

  @Override
  public boolean hasNext() {
    return source.left() > 0 || compact.hasNext();
  }

  @Override
  public SharedBytes next() {
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
    return SharedBytes.of(out.toArray());
  }
}
