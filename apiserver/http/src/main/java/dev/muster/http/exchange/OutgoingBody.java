package dev.muster.http.exchange;

import dev.muster.http.HttpExchange;
import dev.muster.http.ServerResponse;
import dev.muster.http.SharedBytes;
import dev.muster.http.compression.Compression;
import dev.muster.http.compression.GzipParts;
import dev.muster.http.limits.OutgoingBudget;
import java.util.Iterator;

/**
 * Decides how a body that is produced in parts is sent: whole if it turns out to be small,
 * otherwise part by part while the client reads, compressed if the client accepts that and the
 * response allows it.
 */
sealed interface OutgoingBody {
  /** The body is complete. */
  record Whole(ServerResponse answer) implements OutgoingBody {}

  /**
   * More parts follow.
   *
   * @param first the bytes that are produced already
   * @param elsewhere whether other threads produce the remaining parts
   * @param ended runs when no further part will be produced
   */
  record Parts(
      ServerResponse head,
      SharedBytes first,
      Iterator<SharedBytes> others,
      boolean elsewhere,
      Runnable ended)
      implements OutgoingBody {}

  /** Produces as much of the body as the decision needs. */
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
      // Compression takes too long for an event loop, even of the first part.
      var parts = new GzipParts(new PrefixedParts(begin, body), outgoing);
      var first = onLoop ? new SharedBytes() : parts.next();
      return new Parts(Compression.head(head), first, parts, true, parts::close);
    }
    return new Parts(head, begin, body, !onLoop, () -> {});
  }
}
