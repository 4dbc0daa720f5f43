package dev.muster.flowcontrol;

import dev.muster.flowcontrol.config.PriorityLevelSpec;
import dev.muster.flowcontrol.metrics.FlowCounts;
import dev.muster.flowcontrol.metrics.LevelCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A level with its seats. Safe for any thread; its limits are changed by {@link PriorityLevels}
 * only, under the lock of that.
 */
public final class PriorityLevel {
  /** A request may have so much of a level's seats. */
  private static final double WIDEST = 0.15;

  /** Widths of levels without queues are bounded by the estimate only. */
  private static final int UNBOUNDED = Integer.MAX_VALUE;

  /**
   * How many seats it has.
   *
   * @param nominal its share of the server's
   * @param least when others borrow all they may
   * @param most when it borrows all it may
   */
  record Limits(int nominal, int least, int most) {
    static Limits of(PriorityLevelSpec spec, int serverSeats, double shareSum) {
      int nominal = (int) Math.ceil(serverSeats * spec.shares() / shareSum);
      int lendable = (int) Math.round(nominal * spec.lendablePercent() / 100.0);
      var percent = spec.borrowingPercent();
      int borrowing =
          percent == null ? serverSeats : (int) Math.round(nominal * (double) percent / 100);
      return new Limits(nominal, nominal - lendable, nominal + borrowing);
    }

    /** Where a new level begins. */
    int initial() {
      return nominal - (nominal - least) / 2;
    }
  }

  private final QueueSet queues;
  private final Map<String, FlowStats> stats = new ConcurrentHashMap<>();
  private final RetryAfter retryAfter = new RetryAfter();
  private volatile PriorityLevelSpec spec;
  private volatile int widest = UNBOUNDED;
  private volatile boolean quiescing;
  Limits limits;
  int current;
  double target;
  SeatDemand.Summary demand = SeatDemand.Summary.NONE;

  PriorityLevel(PriorityLevelSpec spec, Limits limits, int running, long now) {
    this.spec = spec;
    this.limits = limits;
    this.current = limits.initial();
    this.queues = new QueueSet(spec, current, running, now);
  }

  void configure(PriorityLevelSpec changed, Limits bounds) {
    spec = changed;
    limits = bounds;
    quiescing = false;
    var queuing = changed.queuing();
    widest = queuing == null ? UNBOUNDED : widest(bounds.nominal(), queuing.handSize());
  }

  private static int widest(int seats, int handSize) {
    return Math.max(1, Math.min((int) Math.ceil(seats * WIDEST), seats / handSize));
  }

  /** It has so many seats from now on, with the queues of what it was configured with last. */
  void seats(int seats, long now) {
    current = seats;
    queues.configure(spec, seats, now);
  }

  SeatDemand.Summary endPeriod(long now) {
    demand = queues.endPeriod(now);
    return demand;
  }

  public PriorityLevelSpec spec() {
    return spec;
  }

  /** How many seats a request may have. */
  public int widest() {
    return widest;
  }

  /** Nobody belongs to it any more, but some of its requests are not answered yet. */
  void quiesce() {
    quiescing = true;
  }

  boolean isQuiescing() {
    return quiescing;
  }

  boolean isIdle() {
    return queues.isIdle();
  }

  FlowStats stats(String schema) {
    return stats.computeIfAbsent(schema, absent -> new FlowStats());
  }

  /** Counts one that is sent away, and says after how many seconds it is to come back. */
  public int retryAfter(long nowSeconds) {
    return retryAfter.refused(nowSeconds);
  }

  QueueSet queues() {
    return queues;
  }

  LevelDump dump(long now) {
    return queues.dump(quiescing, now);
  }

  LevelCounts counts(long now) {
    long meter = queues.meter(now);
    queues.lock.lock();
    try {
      List<FlowCounts> flows = new ArrayList<>();
      stats.forEach((schema, counted) -> flows.add(counted.copy(schema)));
      return new LevelCounts(
          spec.name(),
          limits.nominal(),
          limits.least(),
          limits.most(),
          current,
          target,
          demand.peak(),
          demand.average(),
          demand.deviation(),
          demand.smoothed(),
          meter / 1e9,
          queues.usage.copy(),
          flows);
    } finally {
      queues.lock.unlock();
    }
  }
}
