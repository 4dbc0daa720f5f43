package dev.muster.server.chain;

import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import dev.muster.model.status.StatusDetails;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The places for requests that run at the same time. Who finds none waits in line; who finds the
 * line too long is sent away. Safe for any thread.
 */
public final class InFlight {
  private record Waiting(Executor loop, Runnable goOn) {}

  private final int places;
  private final int longestLine;
  private final AtomicInteger running = new AtomicInteger();
  private final AtomicInteger inLine = new AtomicInteger();
  private final Queue<Waiting> line = new ConcurrentLinkedQueue<>();

  /**
   * @param places 0 for no limit
   * @param longestLine how many may wait
   */
  public InFlight(int places, int longestLine) {
    this.places = places;
    this.longestLine = longestLine;
  }

  /**
   * Goes on at once, or later on the given loop when others have left. Whoever goes on must leave.
   *
   * @throws ApiException when there is no place and no room in line
   */
  void enter(Executor loop, Runnable goOn) {
    if (tryTake()) {
      goOn.run();
      return;
    }
    if (inLine.incrementAndGet() > longestLine) {
      inLine.decrementAndGet();
      throw new ApiException(
          Reason.TOO_MANY_REQUESTS,
          "too many requests, please try again later",
          StatusDetails.NONE.withRetryAfter(1));
    }
    line.add(new Waiting(loop, goOn));
    letIn();
  }

  void leave() {
    running.decrementAndGet();
    letIn();
  }

  private void letIn() {
    while (!line.isEmpty() && tryTake()) {
      var next = line.poll();
      if (next == null) {
        running.decrementAndGet();
      } else {
        inLine.decrementAndGet();
        next.loop().execute(next.goOn());
      }
    }
  }

  private boolean tryTake() {
    if (running.incrementAndGet() <= places || places == 0) {
      return true;
    }
    running.decrementAndGet();
    return false;
  }

  int running() {
    return running.get();
  }

  int waiting() {
    return inLine.get();
  }
}
