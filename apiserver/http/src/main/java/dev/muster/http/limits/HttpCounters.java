package dev.muster.http.limits;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counters of HTTP connections and requests. Thread-safe. They only grow, unless stated otherwise.
 */
public final class HttpCounters {
  public final AtomicInteger open = new AtomicInteger();

  public final LongAdder connectionsAccepted = new LongAdder();

  /** Connections closed at once because there were too many. */
  public final LongAdder connectionsRefused = new LongAdder();

  /** Unauthenticated connections that were closed to make room for others. */
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

  /**
   * Requests that a handler has received and that are not answered or cancelled yet; goes up and
   * down.
   */
  public final LongAdder requestsInFlight = new LongAdder();

  /** Connections open now. */
  public int openConnections() {
    return open.get();
  }
}
