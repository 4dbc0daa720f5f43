package dev.muster.http.limits;

import dev.muster.http.BodyShare;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits the memory of request bodies. All event loops share it. One connection gets at most an
 * eighth of it, one owner a half. Another eighth is reserved for requests with a reserved share. A
 * single body always fits into an empty share.
 */
public final class BodyBudget {
  private final long limit;
  private final long withReserve;
  private final long perOwner;
  private final long perConnection;
  private final AtomicLong taken = new AtomicLong();
  private final Map<String, Long> owners = new ConcurrentHashMap<>();

  /**
   * @param largest the size of the largest body
   */
  public BodyBudget(long limit, int largest) {
    this.limit = limit;
    this.withReserve = limit + Math.max(largest, limit / 8);
    this.perOwner = Math.max(largest, limit / 2);
    this.perConnection = Math.max(largest, limit / 8);
  }

  public boolean take(BodyShare share, long bytes) {
    if (taken.addAndGet(bytes) > (share.reserved() ? withReserve : limit)) {
      taken.addAndGet(-bytes);
      return false;
    }
    if (owners.merge(share.owner(), bytes, Long::sum) > perOwner && !share.reserved()) {
      give(share, bytes);
      return false;
    }
    return true;
  }

  public void give(BodyShare share, long bytes) {
    taken.addAndGet(-bytes);
    owners.computeIfPresent(
        share.owner(), (owner, all) -> all.longValue() == bytes ? null : all - bytes);
  }

  /** The memory that the bodies of one connection may use together. */
  public long perConnection() {
    return perConnection;
  }

  public long taken() {
    return taken.get();
  }
}
