package dev.muster.controllers.client;

import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * A rate limit with bursts for requests of control loops: requests beyond it wait. The client's own
 * threads do not wait, because they serve all connections and renew Leases. Thread-safe, guarded by
 * its own lock.
 */
public final class RequestLimit implements Interceptor {
  private static final double NANOS = 1e9;

  private final double perSecond;
  private final int burst;
  private final LongSupplier nanoTime;
  private double tokens;
  private long last;

  /**
   * @param perSecond greater than zero
   * @param burst at least one
   */
  public RequestLimit(double perSecond, int burst) {
    this(perSecond, burst, System::nanoTime);
  }

  RequestLimit(double perSecond, int burst, LongSupplier nanoTime) {
    this.perSecond = perSecond;
    this.burst = burst;
    this.nanoTime = nanoTime;
    this.tokens = burst;
    this.last = nanoTime.getAsLong();
  }

  /** Reserves the next slot and returns the time until it. */
  synchronized Duration reserve() {
    long now = nanoTime.getAsLong();
    tokens = Math.min(burst, tokens + (now - last) / NANOS * perSecond) - 1;
    last = now;
    return tokens >= 0 ? Duration.ZERO : Duration.ofNanos((long) (-tokens / perSecond * NANOS));
  }

  @Override
  public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
    var path = request.uri().getPath();
    boolean ofLeases = path.endsWith("/leases") || path.contains("/leases/");
    if (!Thread.currentThread().isVirtual() || ofLeases) {
      return;
    }
    try {
      Thread.sleep(reserve());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
