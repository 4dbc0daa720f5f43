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
 * All levels of a server, and the schemas that lead to them. Safe for any thread: changes of the
 * configuration and of limits are made under its lock, requests meet the locks of their levels
 * only.
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
   * With the mandatory objects and nothing else.
   *
   * @param serverSeats how many requests of one seat run at the same time
   * @param running how many requests of a level use the CPU at the same time, whatever seats there
   *     are; more only gives each of them less of it
   * @param now nanoseconds on a clock of which only differences count, as everywhere here
   */
  public PriorityLevels(int serverSeats, int running, long now) {
    this.serverSeats = serverSeats;
    this.running = running;
    this.index = rebuild(List.of(), List.of(), now);
  }

  /** These objects are in force from now on, and the mandatory ones that are missing. */
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

  /** An object that only another server can have accepted is as good as none. */
  private static boolean isUsable(PriorityLevelSpec spec) {
    if (spec.exempt() != spec.name().equals(FlowSchema.EXEMPT) || spec.shares() < 0) {
      return false;
    }
    var queuing = spec.queuing();
    return queuing == null || Dealer.isPossible(queuing.queues(), queuing.handSize());
  }

  /** Levels that are gone stay until the last of their requests is answered. */
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
   * Levels that could use more seats borrow from those that do not need theirs. To be called every
   * ten seconds.
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
   * Who waits behind requests that wait for something nobody told of is let in. To be called every
   * tenth of a second: it may be that none of them is answered, and that nobody else comes.
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

  /** What it used lately stays its own, up to its share. */
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

  /** To which flow a request belongs. */
  public Flow classify(Attributes request) {
    return index.find(request).flow(request);
  }

  /** The levels in the order of their names. */
  public synchronized List<LevelDump> dump(long now) {
    return levels.values().stream().map(level -> level.dump(now)).toList();
  }

  /** The levels in figures. */
  public synchronized List<LevelCounts> counts(long now) {
    return levels.values().stream().map(level -> level.counts(now)).toList();
  }

  /** How many seats all levels have. */
  public int mostExecuting() {
    return mostExecuting;
  }

  /** How many requests may wait. */
  public int mostWaiting() {
    return mostWaiting;
  }

  /** The part of what they want that all levels get that are not at a bound. */
  public synchronized double fairFraction() {
    return fairFraction;
  }
}
