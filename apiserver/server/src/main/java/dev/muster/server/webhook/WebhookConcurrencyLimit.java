package dev.muster.server.webhook;

import dev.muster.registry.commit.Deadline;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Limits the concurrent calls of one webhook; further calls wait. A webhook that hangs thereby
 * delays only its own calls. Thread-safe.
 */
final class WebhookConcurrencyLimit {
  private static final class Places {
    private final Semaphore free;
    private int users;

    private Places(int most) {
      this.free = new Semaphore(most, true);
    }
  }

  /** A running call; it counts until this is closed. */
  interface TakenPlace extends AutoCloseable {
    @Override
    void close();
  }

  private final int most;
  private final Map<String, Places> webhooks = new HashMap<>();

  WebhookConcurrencyLimit(int most) {
    this.most = most;
  }

  /**
   * Waits until the call may run.
   *
   * @throws ExchangeException when the deadline passes first
   */
  TakenPlace take(String webhook, Deadline deadline) throws ExchangeException {
    var places = enter(webhook);
    boolean taken = false;
    try {
      taken = places.free.tryAcquire(deadline.remainingNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      if (!taken) {
        leave(webhook, places);
      }
    }
    if (!taken) {
      throw new ExchangeException("context deadline exceeded", false);
    }
    return () -> {
      places.free.release();
      leave(webhook, places);
    };
  }

  private synchronized Places enter(String webhook) {
    var places = webhooks.computeIfAbsent(webhook, key -> new Places(most));
    places.users++;
    return places;
  }

  private synchronized void leave(String webhook, Places places) {
    places.users--;
    if (places.users == 0) {
      webhooks.remove(webhook, places);
    }
  }

  /** The number of webhooks with running calls. */
  synchronized int size() {
    return webhooks.size();
  }
}
