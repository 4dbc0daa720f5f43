package dev.muster.controllers.election;

import dev.muster.controllers.EventRecorder;
import dev.muster.controllers.client.ApiRequests;
import dev.muster.controllers.election.LeaseCandidate.Attempt;
import dev.muster.controllers.metrics.ControllerMetrics;
import dev.muster.model.HumanDuration;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Acquires and renews a Lease on one virtual thread, and runs the work while it leads. It stops at
 * the renew deadline, measured on a monotonic clock from the beginning of the last successful
 * renewal. Other candidates wait longer than that. Neither an API server that hangs nor a wall
 * clock that jumps moves the deadline.
 */
public final class LeaderElector implements AutoCloseable {
  /** The work that only the leader does. The elector's thread calls it. */
  public interface Work {
    /**
     * Starts the work in the background. Must return at once, because the Lease has to be renewed.
     */
    void begin();

    /** Returns when the work has ended completely. */
    void end();
  }

  private static final Logger log = LoggerFactory.getLogger(LeaderElector.class);

  /**
   * Candidates wait up to this much longer than the retry period, so that they do not all try at
   * once.
   */
  private static final double JITTER = 1.2;

  private static final Duration RELEASE_PATIENCE = Duration.ofSeconds(3);

  private final LeaderElection election;
  private final TimedRequests requests;
  private final LeaseCandidate candidate;
  private final Work work;
  private final String identity;
  private final LeaseEvents events;
  private final RandomGenerator random;
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread thread;
  private String knownLeader = "";
  private String knownTrouble = "";

  /**
   * Call {@code start} to begin.
   *
   * @param identity unique to this process
   */
  public LeaderElector(
      ApiRequests requests,
      LeaderElection election,
      String identity,
      Work work,
      Clock wall,
      RandomGenerator random) {
    this.election = election;
    this.identity = identity;
    this.work = work;
    this.random = random;
    this.requests = new TimedRequests(requests);
    this.candidate =
        new LeaseCandidate(this.requests, election, identity, LeaderElector::monotonic, wall);
    this.events = new LeaseEvents(new EventRecorder(requests, election.name(), wall), identity);
    this.thread = Thread.ofVirtual().name("leader-election").unstarted(this::run);
  }

  private static Duration monotonic() {
    return Duration.ofNanos(System.nanoTime());
  }

  public void start() {
    ControllerMetrics.OF_PROCESS.leads(election.name(), false);
    thread.start();
  }

  /** Ends the work and releases the Lease, so that another process can take over at once. */
  @Override
  public void close() {
    closing.countDown();
    requests.abandon();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    events.close();
  }

  private void run() {
    while (!closed()) {
      try {
        if (campaign()) {
          lead();
        }
      } catch (InterruptedException e) {
        log.warn("{} was interrupted, and begins its campaign for {} anew", identity, lease());
      } catch (RuntimeException | Error e) {
        log.error("{} begins its campaign for {} anew", identity, lease(), e);
        rest(election.retryPeriod());
      }
    }
    release();
  }

  /** Returns true with the Lease, or false when the elector is closed. */
  private boolean campaign() throws InterruptedException {
    while (!closed()) {
      var attempt = candidate.attempt(patience());
      reportLeader();
      reportTrouble(attempt);
      if (attempt == Attempt.HELD) {
        return true;
      }
      var period = election.retryPeriod();
      rest(period.plusNanos((long) (period.toNanos() * JITTER * random.nextDouble())));
    }
    return false;
  }

  private void lead() throws InterruptedException {
    log.info("{} became leader of {}", identity, lease());
    events.report(candidate.lease(), "became leader");
    ControllerMetrics.OF_PROCESS.leads(election.name(), true);
    var lease = candidate.lease();
    var reason = "its work did not begin";
    try {
      work.begin();
      reason = renew();
    } finally {
      candidate.stopLeading();
      ControllerMetrics.OF_PROCESS.leads(election.name(), false);
      if (!closed()) {
        log.warn("{} stops leading {}: {}", identity, lease(), reason);
      }
      work.end();
      events.report(lease, "stopped leading");
    }
  }

  /** Renews the Lease until it is lost, and returns the reason. */
  private String renew() throws InterruptedException {
    int slow = candidate.slowAttempts();
    while (!rest(shorter(election.retryPeriod(), left()))) {
      if (!left().isPositive()) {
        var trouble =
            candidate.degradedReason().isEmpty()
                ? "paused for too long"
                : candidate.degradedReason();
        return "it was not renewed for %s: %s"
            .formatted(HumanDuration.format(election.renewDeadline()), trouble);
      }
      var attempt = candidate.attempt(shorter(patience(), left()));
      ControllerMetrics.OF_PROCESS.slowElections(election.name(), candidate.slowAttempts() - slow);
      slow = candidate.slowAttempts();
      reportTrouble(attempt);
      if (attempt == Attempt.LOST) {
        return candidate.degradedReason();
      }
    }
    return "it stops";
  }

  private Duration left() {
    return candidate.leadsUntil().minus(monotonic());
  }

  /** The timeout of one attempt, which leaves time for another before the deadline. */
  private Duration patience() {
    return election.renewDeadline().dividedBy(2);
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  /** Waits; returns true when the elector is closed. */
  private boolean rest(Duration time) {
    try {
      return closing.await(Math.max(0, time.toNanos()), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      return closed();
    }
  }

  private boolean closed() {
    return closing.getCount() == 0;
  }

  private void release() {
    try {
      candidate.release(shorter(RELEASE_PATIENCE, patience()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      log.warn("{} could not give {} back: {}", identity, lease(), e.toString());
    }
  }

  private String lease() {
    return election.namespace() + "/" + election.name();
  }

  private void reportLeader() {
    var holder = candidate.holder();
    if (!holder.equals(knownLeader)) {
      knownLeader = holder;
      if (!holder.isEmpty() && !holder.equals(identity)) {
        log.info("{} leads {}", holder, lease());
      }
    }
  }

  /** Logs each problem once, however often it repeats. */
  private void reportTrouble(Attempt attempt) {
    var trouble = attempt == Attempt.FAILED ? candidate.degradedReason() : "";
    if (!trouble.equals(knownTrouble)) {
      knownTrouble = trouble;
      if (!trouble.isEmpty()) {
        log.warn("{} cannot take or renew {}, and tries again: {}", identity, lease(), trouble);
      }
    }
  }
}
