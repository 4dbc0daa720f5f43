package dev.muster.http.exchange;

import dev.muster.http.HttpExchange;
import dev.muster.http.ServerResponse;
import dev.muster.http.SharedBytes;
import dev.muster.http.compression.Compression;
import dev.muster.http.compression.GzipParts;
import dev.muster.http.limits.OutgoingBudget;
import java.util.Iterator;

/**
 * How a body goes out that is made in parts: whole when it turns out to be small, else while the
 * client takes it, compressed if the client asked for that and the answer may be.
 */
sealed interface OutgoingBody {
  /** All of it is there. */
  record Whole(ServerResponse answer) implements OutgoingBody {}

  /**
   * There is more to come.
   *
   * @param first what is there
   * @param elsewhere whether the others are made on other threads
   * @param ended runs when no part will be made any more
   */
  record Parts(
      ServerResponse head,
      SharedBytes first,
      Iterator<SharedBytes> others,
      boolean elsewhere,
      Runnable ended)
      implements OutgoingBody {}

  /** Makes as much of the body as it takes to decide. */
  static OutgoingBody of(
      ServerResponse head,
      Iterator<SharedBytes> body,
      HttpExchange exchange,
      OutgoingBudget outgoing) {
    var begin = new SharedBytes();
    while (body.hasNext() && begin.left() <= Compression.THRESHOLD) {
      begin.addAll(body.next());
    }
    if (!body.hasNext() && begin.left() <= Compression.THRESHOLD) {
      return new Whole(head.withBody(begin.toArray()));
    }
    boolean onLoop = exchange.inEventLoop();
    if (head.compressible() && Compression.wanted(begin.left(), exchange)) {
      // Compressing is nothing for an event loop, not even the first part.
      var parts = new GzipParts(new PrefixedParts(begin, body), outgoing);
      var first = onLoop ? new SharedBytes() : parts.next();
      return new Parts(Compression.head(head), first, parts, true, parts::close);
    }
    return new Parts(head, begin, body, !onLoop, () -> {});
  }
}
