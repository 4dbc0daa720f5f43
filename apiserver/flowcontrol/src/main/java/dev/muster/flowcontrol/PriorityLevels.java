package dev.muster.flowcontrol;

import dev.muster.authorization.Attributes;
import dev.muster.flowcontrol.SeatAllocation.Claim;
import dev.muster.flowcontrol.config.FlowSchema;
import dev.muster.flowcontrol.config.MandatoryObjects;
import dev.muster.flowcontrol.config.PriorityLevelSpec;
import dev.muster.flowcontrol.metrics.LevelCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * All priority levels of a server and the FlowSchemas that select them. Thread-safe. Changes of the
 * configuration and of limits take its lock; requests only take the locks of their levels.
 */
public final class PriorityLevels {
  private final int serverSeats;
  private final int running;
  private final Map<String, PriorityLevel> levels = new TreeMap<>();
  private volatile SchemaIndex index;
  private double fairFraction;
  private volatile int mostExecuting;
  private volatile int mostWaiting;

  /**
   * Starts with the mandatory objects only.
   *
   * @param serverSeats the number of requests with one seat that run at the same time
   * @param running the number of requests of a level that use the CPU at the same time, whatever
   *     its seats; more of them would only slow each other down
   * @param now nanoseconds of a clock of which only differences count, as in all methods here
   */
  public PriorityLevels(int serverSeats, int running, long now) {
    this.serverSeats = serverSeats;
    this.running = running;
    this.index = rebuild(List.of(), List.of(), now);
  }

  /** Applies these objects, and the mandatory ones among the missing. */
  public void configure(List<FlowSchema> schemas, List<PriorityLevelSpec> specs, long now) {
    index = rebuild(schemas, specs, now);
  }

  private synchronized SchemaIndex rebuild(
      List<FlowSchema> schemas, List<PriorityLevelSpec> given, long now) {
    var specs = new TreeMap<String, PriorityLevelSpec>();
    MandatoryObjects.LEVELS.forEach(spec -> specs.put(spec.name(), spec));
    given.stream().filter(PriorityLevels::isUsable).forEach(spec -> specs.put(spec.name(), spec));
    retire(specs);
    double shareSum =
        Math.max(1, specs.values().stream().mapToInt(PriorityLevelSpec::shares).sum());
    specs.values().forEach(spec -> configure(spec, shareSum, now));
    adjust(now);
    mostExecuting = levels.values().stream().mapToInt(level -> level.limits.nominal()).sum();
    mostWaiting =
        (int)
            Math.min(
                Integer.MAX_VALUE,
                specs.values().stream().mapToLong(PriorityLevelSpec::mostWaiting).sum());
    var bound = new ArrayList<LevelSchema>();
    for (var schema : MandatoryObjects.complete(schemas, specs.keySet())) {
      var level = levels.get(schema.level());
      if (level != null && specs.containsKey(schema.level())) {
        bound.add(new LevelSchema(schema, level));
      }
    }
    return new SchemaIndex(bound);
  }

  /** An object that is invalid here, and that only another server can have accepted, is ignored. */
  private static boolean isUsable(PriorityLevelSpec spec) {
    if (spec.exempt() != spec.name().equals(FlowSchema.EXEMPT) || spec.shares() < 0) {
      return false;
    }
    var queuing = spec.queuing();
    return queuing == null || Dealer.isPossible(queuing.queues(), queuing.handSize());
  }

  /** Removed levels stay until the last of their requests is answered. */
  private void retire(Map<String, PriorityLevelSpec> wanted) {
    levels
        .values()
        .removeIf(
            level -> {
              if (wanted.containsKey(level.spec().name())) {
                return false;
              }
              level.quiesce();
              return level.isIdle();
            });
  }

  private void configure(PriorityLevelSpec spec, double shareSum, long now) {
    var limits = PriorityLevel.Limits.of(spec, serverSeats, shareSum);
    var level = levels.get(spec.name());
    if (level == null) {
      level = new PriorityLevel(spec, limits, running, now);
      levels.put(spec.name(), level);
    }
    level.configure(spec, limits);
  }

  /**
   * Lets levels with demand borrow seats from levels that do not need theirs. Call it every ten
   * seconds.
   */
  public synchronized void adjust(long now) {
    retire(specs());
    int total = 0;
    int least = 0;
    int leastNow = 0;
    int left = 0;
    for (var level : levels.values()) {
      int wanted = leastNow(level, level.endPeriod(now));
      total += level.limits.nominal();
      left -= level.spec().exempt() ? wanted : 0;
      least += level.spec().exempt() ? 0 : level.limits.least();
      leastNow += level.spec().exempt() ? 0 : wanted;
    }
    left += total;
    var allocation = left > leastNow ? allocate(total) : null;
    fairFraction = allocation == null ? 0 : allocation.fraction();
    double part = left <= least ? 0 : (double) (left - least) / Math.max(1, leastNow - least);
    int place = 0;
    for (var level : levels.values()) {
      int wanted = leastNow(level, level.demand);
      int seats = wanted;
      if (!level.spec().exempt()) {
        seats =
            left > leastNow
                ? allocation == null ? level.current : (int) Math.round(allocation.seats()[place])
                : level.limits.least() + (int) Math.round((wanted - level.limits.least()) * part);
        place++;
      }
      level.target = Math.max(wanted, level.demand.smoothed());
      level.seats(seats, now);
    }
  }

  /**
   * Starts requests that wait behind long-running ones which may be blocked outside the CPU. Call
   * it every tenth of a second, because possibly no request ends or arrives meanwhile.
   */
  public synchronized void passOverdue(long now) {
    levels.values().forEach(level -> level.queues().passOverdue(now));
  }

  private Map<String, PriorityLevelSpec> specs() {
    var specs = new TreeMap<String, PriorityLevelSpec>();
    levels.forEach(
        (name, level) -> {
          if (!level.isQuiescing()) {
            specs.put(name, level.spec());
          }
        });
    return specs;
  }

  /** A level keeps the seats that it used recently, up to its nominal share. */
  private static int leastNow(PriorityLevel level, SeatDemand.Summary demand) {
    int used =
        level.spec().exempt() ? demand.peak() : Math.min(level.limits.nominal(), demand.peak());
    return Math.max(level.limits.least(), used);
  }

  private @Nullable SeatAllocation allocate(int total) {
    var claims = new ArrayList<Claim>();
    for (var level : levels.values()) {
      if (!level.spec().exempt()) {
        int wanted = leastNow(level, level.demand);
        claims.add(
            new Claim(Math.max(wanted, level.demand.smoothed()), wanted, level.limits.most()));
      }
    }
    try {
      return SeatAllocation.of(total, claims);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** The flow of a request. */
  public Flow classify(Attributes request) {
    return index.find(request).flow(request);
  }

  /** All levels by name. */
  public synchronized List<LevelDump> dump(long now) {
    return levels.values().stream().map(level -> level.dump(now)).toList();
  }

  /** Statistics of all levels. */
  public synchronized List<LevelCounts> counts(long now) {
    return levels.values().stream().map(level -> level.counts(now)).toList();
  }

  /** The number of seats of all levels. */
  public int mostExecuting() {
    return mostExecuting;
  }

  /** The number of requests that may wait. */
  public int mostWaiting() {
    return mostWaiting;
  }

  /** The fraction of their demand that levels get which are not at a bound. */
  public synchronized double fairFraction() {
    return fairFraction;
  }
}
