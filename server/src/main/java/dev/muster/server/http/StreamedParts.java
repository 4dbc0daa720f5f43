package dev.muster.server.http;

import java.util.Iterator;

/** Owned by one event loop: a body whose parts are made when there is room for them. */
record StreamedParts(HttpStream stream, Iterator<Pieces> parts) {

  void start() {
    stream.onWritable(this::more);
    more();
  }

  private void more() {
    while (stream.open() && stream.writable() && parts.hasNext()) {
      stream.write(parts.next());
    }
    stream.flush();
    if (stream.open() && !parts.hasNext()) {
      stream.finish();
    }
  }
}
