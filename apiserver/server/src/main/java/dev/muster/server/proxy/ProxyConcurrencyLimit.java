package dev.muster.server.proxy;

import dev.muster.model.User;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import dev.muster.model.status.StatusDetails;
import java.util.HashMap;
import java.util.Map;

/**
 * Safe for any thread. The places for requests that are passed on: they take as long as they like,
 * and each holds a socket, so that nobody may take all of them. The last ones are kept for
 * administrators.
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
   * @param whereto they are passed on, for those who find none
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

  /** One of the places, until it is closed. */
  public interface TakenPlace extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * Takes a place.
   *
   * @throws ApiException 429 when there is none for that user
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

  /** How many places are taken. */
  public synchronized int taken() {
    return sum;
  }
}
