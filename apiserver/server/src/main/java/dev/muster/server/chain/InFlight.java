package dev.muster.server.chain;

import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import dev.muster.model.status.StatusDetails;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts running requests against a limit. Thread-safe. */
final class InFlight {
  private final int places;
  private final AtomicInteger running = new AtomicInteger();

  /**
   * @param places 0 for no limit
   */
  InFlight(int places) {
    this.places = places;
  }

  /**
   * Counts a request. Each successful call must be followed by one call of {@link #leave}.
   *
   * @throws ApiException 429 when the limit is reached
   */
  void enter() {
    if (running.incrementAndGet() > places && places != 0) {
      running.decrementAndGet();
      throw new ApiException(
          Reason.TOO_MANY_REQUESTS,
          "too many requests, please try again later",
          StatusDetails.NONE.withRetryAfter(1));
    }
  }

  void leave() {
    running.decrementAndGet();
  }

  int running() {
    return running.get();
  }
}
