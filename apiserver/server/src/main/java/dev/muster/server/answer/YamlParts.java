package dev.muster.server.answer;

import dev.muster.http.SharedBytes;
import dev.muster.http.limits.OutgoingBudget;
import dev.muster.wire.yaml.YamlWriter;
import java.util.Iterator;
import java.util.NoSuchElementException;

/** Encodes a YAML document in parts, while the parts are taken. One thread at a time uses it. */
record YamlParts(YamlWriter writer) implements Iterator<SharedBytes> {
  @Override
  public boolean hasNext() {
    return writer.hasNext();
  }

  @Override
  public SharedBytes next() {
    if (!writer.hasNext()) {
      throw new NoSuchElementException();
    }
    return SharedBytes.of(writer.next(OutgoingBudget.PART));
  }
}
