package dev.muster.http.exchange;

import dev.muster.http.HttpStream;
import dev.muster.http.SharedBytes;
import java.util.Iterator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends a body whose parts are produced while the client reads. Only the event loop of the
 * connection uses it. If the production of a part fails, the body is cut off.
 */
final class StreamedParts {
  private static final Logger log = LoggerFactory.getLogger(StreamedParts.class);

  private final HttpStream stream;
  private final Iterator<SharedBytes> parts;
  private final boolean elsewhere;
  private final Runnable ended;
  private boolean making;

  /**
   * @param elsewhere whether other threads produce the parts, one at a time
   * @param ended runs when no further part will be produced
   */
  StreamedParts(HttpStream stream, Iterator<SharedBytes> parts, boolean elsewhere, Runnable ended) {
    this.stream = stream;
    this.parts = parts;
    this.elsewhere = elsewhere;
    this.ended = ended;
  }

  void start() {
    stream.onWritable(this::more);
    stream.onClose(ended);
    more();
  }

  private void more() {
    if (elsewhere) {
      makeNext();
      return;
    }
    try {
      while (stream.open() && stream.writable() && parts.hasNext()) {
        stream.write(parts.next());
      }
    } catch (RuntimeException | Error e) {
      log.error("a part of an answer could not be made, the rest is cut off", e);
      stream.abort();
      return;
    }
    stream.flush();
    if (stream.open() && !parts.hasNext()) {
      stream.finish();
    }
  }

  private void makeNext() {
    if (making) {
      return;
    }
    if (!parts.hasNext()) {
      stream.finish();
    } else if (stream.open() && stream.writable()) {
      making = true;
      stream.make(parts::next, this::made);
    }
  }

  private void made(SharedBytes part) {
    making = false;
    stream.write(part);
    stream.flush();
    makeNext();
  }
}
