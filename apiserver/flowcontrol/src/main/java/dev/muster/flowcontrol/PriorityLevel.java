package dev.muster.flowcontrol;

import dev.muster.flowcontrol.config.PriorityLevelSpec;
import dev.muster.flowcontrol.metrics.FlowCounts;
import dev.muster.flowcontrol.metrics.LevelCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A priority level with its seats. Thread-safe. Only {@link PriorityLevels} changes its limits,
 * under its own lock.
 */
public final class PriorityLevel {
  /** The largest part of a level's seats that one request may take. */
  private static final double WIDEST = 0.15;

  /** Levels without queues do not bound the width of requests. */
  private static final int UNBOUNDED = Integer.MAX_VALUE;

  /**
   * The seats of a level.
   *
   * @param nominal its share of the server's seats
   * @param least its seats when other levels borrow all they may
   * @param most its seats when it borrows all it may
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

    /** The seats of a new level. */
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

  /** Sets the number of seats, with the queues of the last configuration. */
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

  /** The largest number of seats of one request. */
  public int widest() {
    return widest;
  }

  /** Marks a level that was removed but still has unanswered requests. */
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

  /** Counts a refused request and returns its {@code Retry-After} in seconds. */
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
