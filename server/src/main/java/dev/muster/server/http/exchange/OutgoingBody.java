package dev.muster.server.http.exchange;

import dev.muster.server.http.HttpAnswer;
import dev.muster.server.http.HttpExchange;
import dev.muster.server.http.Pieces;
import dev.muster.server.http.compression.Compression;
import dev.muster.server.http.compression.GzipParts;
import dev.muster.server.http.limits.OutgoingBudget;
import java.util.Iterator;

/**
 * How a body goes out that is made in parts: whole when it turns out to be small, else while the
 * client takes it, compressed if the client asked for that and the answer may be.
 */
sealed interface OutgoingBody {
  /** All of it is there. */
  record Whole(HttpAnswer answer) implements OutgoingBody {}

  /**
   * There is more to come.
   *
   * @param first what is there
   * @param elsewhere whether the others are made on other threads
   * @param ended runs when no part will be made any more
   */
  record Parts(
      HttpAnswer head, Pieces first, Iterator<Pieces> others, boolean elsewhere, Runnable ended)
      implements OutgoingBody {}

  /** Makes as much of the body as it takes to decide. */
  static OutgoingBody of(
      HttpAnswer head, Iterator<Pieces> body, HttpExchange exchange, OutgoingBudget outgoing) {
    var begin = new Pieces();
    while (body.hasNext() && begin.left() <= Compression.THRESHOLD) {
      begin.addAll(body.next());
    }
    if (!body.hasNext() && begin.left() <= Compression.THRESHOLD) {
      return new Whole(head.withBody(begin.toArray()));
    }
    boolean onLoop = exchange.inEventLoop();
    if (head.compressible() && Compression.wanted(begin.left(), exchange)) {
      // Compressing is nothing for an event loop, not even the first part.
      var parts = new GzipParts(new PartsAfter(begin, body), outgoing);
      var first = onLoop ? new Pieces() : parts.next();
      return new Parts(Compression.head(head), first, parts, true, parts::close);
    }
    return new Parts(head, begin, body, !onLoop, () -> {});
  }
}
