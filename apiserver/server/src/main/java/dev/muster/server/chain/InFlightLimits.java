package dev.muster.server.chain;

import dev.muster.model.User;
import dev.muster.server.request.Request;
import dev.muster.server.request.Seat;
import java.util.Set;

/**
 * Limits the running requests of all clients together: one limit for reads and one for writes. The
 * server uses it with {@code --enable-priority-and-fairness=false}. Thread-safe.
 */
public final class InFlightLimits implements FlowControl {
  private static final Set<String> HEALTH = Set.of("/healthz", "/livez", "/readyz");

  private final InFlight reading;
  private final InFlight writing;

  /**
   * @param reading how many requests run that change nothing; 0 for no limit
   * @param writing how many mutating requests run; 0 for no limit
   */
  public InFlightLimits(int reading, int writing) {
    this.reading = new InFlight(reading);
    this.writing = new InFlight(writing);
  }

  @Override
  public void classify(Request request) {}

  @Override
  public void admit(Request request, Runnable next) {
    if (isExempt(request)) {
      next.run();
      return;
    }
    var places = request.info().isWrite() ? writing : reading;
    places.enter();
    request.seat(new InFlightSeat(places));
    next.run();
  }

  /**
   * Watches and proxied connections are not limited. Health checks and {@code system:masters} must
   * get through when the server is overloaded.
   */
  static boolean isExempt(Request request) {
    return request.info().isLong()
        || request.user().in(User.MASTERS)
        || HEALTH.contains(request.info().path());
  }

  private record InFlightSeat(InFlight places) implements Seat {
    @Override
    public void answered(int status) {
      places.leave();
    }
  }
}
