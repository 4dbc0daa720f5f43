package dev.muster.server.http;

import java.util.Iterator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owned by one event loop: a body whose parts are made when there is room for them. When one cannot
 * be made the body is cut off.
 */
record StreamedParts(HttpStream stream, Iterator<Pieces> parts) {
  private static final Logger log = LoggerFactory.getLogger(StreamedParts.class);

  void start() {
    stream.onWritable(this::more);
    more();
  }

  private void more() {
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
}
