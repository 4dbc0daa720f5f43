package dev.muster.http.limits;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** Counted by all event loops, read by anyone at any time. Only grows, unless said otherwise. */
public final class HttpCounters {
  public final AtomicInteger open = new AtomicInteger();

  public final LongAdder connectionsAccepted = new LongAdder();

  /** Connections closed at once because there were too many. */
  public final LongAdder connectionsRefused = new LongAdder();

  /** Connections of which nothing was known, closed because others needed their room. */
  public final LongAdder connectionsReplaced = new LongAdder();

  /** Connections closed for a flood of frames. */
  public final LongAdder connectionsFlooding = new LongAdder();

  /** Connections or requests ended because the client was too slow. */
  public final LongAdder timeouts = new LongAdder();

  public final LongAdder tlsHandshakes = new LongAdder();
  public final LongAdder tlsErrors = new LongAdder();
  public final LongAdder requestsHttp1 = new LongAdder();
  public final LongAdder requestsHttp2 = new LongAdder();

  /** Requests that were refused or broken before a handler saw them. */
  public final LongAdder requestsRejected = new LongAdder();

  /** Requests given to the handler and not yet answered or cancelled; goes up and down. */
  public final LongAdder requestsInFlight = new LongAdder();

  /** Connections open now. */
  public int openConnections() {
    return open.get();
  }
}
