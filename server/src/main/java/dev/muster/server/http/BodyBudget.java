package dev.muster.server.http;

import java.util.concurrent.atomic.AtomicLong;

/** Shared by all event loops: memory that request bodies may take while they arrive. */
final class BodyBudget {
  private final long limit;
  private final AtomicLong taken = new AtomicLong();

  BodyBudget(long limit) {
    this.limit = limit;
  }

  boolean take(int bytes) {
    if (taken.addAndGet(bytes) <= limit) {
      return true;
    }
    taken.addAndGet(-bytes);
    return false;
  }

  void give(int bytes) {
    taken.addAndGet(-bytes);
  }

  long taken() {
    return taken.get();
  }
}
