package dev.muster.http.compression;

import dev.muster.http.SharedBytes;
import dev.muster.http.limits.OutgoingBudget;
import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * Compresses the parts of a body while they are taken. One thread at a time takes parts; any thread
 * may close it. Each call compresses input until the output fills a part, or for a few
 * milliseconds.
 */
public final class GzipParts implements Iterator<SharedBytes> {
  private static final int MOST_INPUT = 1024 * 1024;

  private final Iterator<SharedBytes> plain;
  private final OutgoingBudget outgoing;
  private final Gzip gzip = new Gzip();
  private boolean ended;
  private boolean making;
  private boolean closing;
  private boolean closed;

  public GzipParts(Iterator<SharedBytes> plain, OutgoingBudget outgoing) {
    this.plain = plain;
    this.outgoing = outgoing;
    outgoing.add(Gzip.MEMORY);
  }

  @Override
  public boolean hasNext() {
    return !ended;
  }

  @Override
  public SharedBytes next() {
    begin();
    try {
      return make();
    } finally {
      end();
    }
  }

  private SharedBytes make() {
    if (ended) {
      throw new NoSuchElementException();
    }
    var out = new SharedBytes();
    long read = 0;
    while (plain.hasNext() && out.left() < OutgoingBudget.PART && read < MOST_INPUT) {
      var part = plain.next();
      read += part.left();
      part.forEach((array, offset, length) -> gzip.add(array, offset, length, out::add));
    }
    if (!plain.hasNext()) {
      gzip.finish(out::add);
      ended = true;
    }
    return out;
  }

  private synchronized void begin() {
    if (closed) {
      throw new IllegalStateException("nobody wants it any more");
    }
    making = true;
  }

  private synchronized void end() {
    making = false;
    if (closing) {
      release();
    }
  }

  /** Frees the compressor, after the current part if one is being compressed. */
  public synchronized void close() {
    closing = true;
    if (!making) {
      release();
    }
  }

  private void release() {
    if (!closed) {
      closed = true;
      gzip.close();
      outgoing.add(-Gzip.MEMORY);
    }
  }
}
