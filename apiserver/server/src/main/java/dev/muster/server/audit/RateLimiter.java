package dev.muster.server.audit;

import dev.muster.server.options.audit.AuditBatch;
import java.util.concurrent.TimeUnit;

/**
 * Limits how often its thread proceeds per second, with a burst after a pause. One thread uses it,
 * and it blocks that thread.
 */
final class RateLimiter {
  private final double perNano;
  private final double most;
  private double tokens;
  private long last = System.nanoTime();

  RateLimiter(AuditBatch batch) {
    perNano = batch.throttle() ? batch.qps() / TimeUnit.SECONDS.toNanos(1) : 0;
    most = batch.burst();
    tokens = most;
  }

  void take() throws InterruptedException {
    if (perNano == 0) {
      return;
    }
    long now = System.nanoTime();
    tokens = Math.min(most, tokens + (now - last) * perNano) - 1;
    last = now;
    if (tokens < 0) {
      TimeUnit.NANOSECONDS.sleep((long) (-tokens / perNano));
    }
  }
}
