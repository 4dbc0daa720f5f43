package dev.muster.server;

import dev.muster.model.ApiException;
import dev.muster.model.Reason;
import dev.muster.model.StatusDetails;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Limits how many requests run at the same time, reads and writes apart; watches and other long
 * requests are not counted. Safe for any thread.
 */
final class InFlight {
  private final int mostReads;
  private final int mostWrites;
  private final AtomicInteger reads = new AtomicInteger();
  private final AtomicInteger writes = new AtomicInteger();

  /** 0 means no limit. */
  InFlight(int mostReads, int mostWrites) {
    this.mostReads = mostReads;
    this.mostWrites = mostWrites;
  }

  void enter(boolean write) {
    var count = write ? writes : reads;
    int most = write ? mostWrites : mostReads;
    if (count.incrementAndGet() > most && most > 0) {
      count.decrementAndGet();
      throw new ApiException(
          Reason.TOO_MANY_REQUESTS,
          "too many requests, please try again later",
          StatusDetails.NONE.withRetryAfter(1));
    }
  }

  void leave(boolean write) {
    (write ? writes : reads).decrementAndGet();
  }

  int reads() {
    return reads.get();
  }

  int writes() {
    return writes.get();
  }
}
