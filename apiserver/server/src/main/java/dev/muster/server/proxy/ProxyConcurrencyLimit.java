package dev.muster.server.proxy;

import dev.muster.model.User;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import dev.muster.model.status.StatusDetails;
import java.util.HashMap;
import java.util.Map;

/**
 * Limits the number of forwarded requests, which may last long and hold a socket each. Thread-safe.
 * No single user can use up the limit, and a part of it is reserved for administrators.
 */
public final class ProxyConcurrencyLimit {
  private final int total;
  private final int forOne;
  private final int reserve;
  private final String whereto;
  private final Map<String, Integer> taken = new HashMap<>();
  private int sum;

  /**
   * @param total at the same time
   * @param forOne user
   * @param reserve of the total, for members of {@code system:masters}
   * @param whereto the destination, for the error message
   */
  public ProxyConcurrencyLimit(int total, int forOne, int reserve, String whereto) {
    this.total = total;
    this.forOne = forOne;
    this.reserve = reserve;
    this.whereto = whereto;
  }

  public static ProxyConcurrencyLimit standard(String whereto) {
    return new ProxyConcurrencyLimit(1000, 400, 100, whereto);
  }

  /** A running request; it counts until this is closed. */
  public interface TakenPlace extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * Counts a request.
   *
   * @throws ApiException 429 when the limit is reached for that user
   */
  public synchronized TakenPlace take(User user) {
    boolean administrator = user.in(User.MASTERS);
    int own = taken.getOrDefault(user.name(), 0);
    if (sum >= (administrator ? total : total - reserve) || (own >= forOne && !administrator)) {
      throw new ApiException(
          Reason.TOO_MANY_REQUESTS,
          "too many requests are waiting for " + whereto + ", please try again later",
          StatusDetails.NONE.withRetryAfter(1));
    }
    sum++;
    taken.put(user.name(), own + 1);
    var name = user.name();
    return () -> leave(name);
  }

  private synchronized void leave(String name) {
    sum--;
    taken.computeIfPresent(name, (ignored, own) -> own == 1 ? null : own - 1);
  }

  /** The number of running requests. */
  public synchronized int taken() {
    return sum;
  }
}
