package dev.muster.it.decisions;

import dev.muster.it.decisions.Observed.Changed;
import dev.muster.it.decisions.Observed.Decided;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;

/**
 * Whether every request was decided by the rules of one moment, no older than anything acknowledged
 * before the request began. Rules are changed one after the other each, and all of their changes
 * were acknowledged. For what was written, and for lists, the moment is known exactly.
 */
final class DecisionChecker {
  /** The rules that are there after each revision at which one came or went. */
  private final NavigableMap<Long, Set<Rule>> rules = new TreeMap<>();

  /** The highest revision that somebody was told of, by the time at which that was. */
  private final NavigableMap<Long, Long> told = new TreeMap<>();

  /** The lowest revision that nobody had asked for yet, by the time from which on that was. */
  private final NavigableMap<Long, Long> asked = new TreeMap<>();

  private DecisionChecker(List<RuleLog.Entry> log, List<Observed> observed) {
    var now = EnumSet.noneOf(Rule.class);
    rules.put(0L, Set.copyOf(now));
    for (var entry : log) {
      if (entry.there()) {
        now.add(entry.rule());
      } else {
        now.remove(entry.rule());
      }
      rules.put(entry.revision(), Set.copyOf(now));
    }
    learn(log, observed);
  }

  /** One acknowledged revision. */
  private record Acknowledged(long revision, long began, long ended, boolean writes) {}

  private void learn(List<RuleLog.Entry> log, List<Observed> observed) {
    var known = new ArrayList<Acknowledged>();
    var unseen = new EnumMap<Rule, Deque<RuleLog.Entry>>(Rule.class);
    log.forEach(
        entry -> unseen.computeIfAbsent(entry.rule(), rule -> new ArrayDeque<>()).add(entry));
    for (var one : observed) {
      switch (one) {
        case Changed changed -> {
          var entry = unseen.getOrDefault(changed.rule(), new ArrayDeque<>()).poll();
          if (entry == null || entry.there() != changed.there()) {
            throw new IllegalArgumentException("not in the log: " + changed);
          }
          known.add(new Acknowledged(entry.revision(), changed.began(), changed.ended(), true));
        }
        case Decided decided when decided.revision() > 0 ->
            known.add(
                new Acknowledged(
                    decided.revision(),
                    decided.began(),
                    decided.ended(),
                    decided.deed() != Deed.LIST));
        case Decided _ -> {}
      }
    }
    known.sort(Comparator.comparingLong(Acknowledged::ended));
    long highest = 0;
    for (var one : known) {
      highest = Math.max(highest, one.revision());
      told.put(one.ended(), highest);
    }
    known.sort(Comparator.comparingLong(Acknowledged::began).reversed());
    long lowest = Long.MAX_VALUE;
    for (var one : known) {
      if (one.writes()) {
        lowest = Math.min(lowest, one.revision());
        asked.put(one.began(), lowest);
      }
    }
  }

  /**
   * What cannot be.
   *
   * @param observed the changes of each rule in the order in which they were made
   */
  static List<String> violations(List<RuleLog.Entry> log, List<Observed> observed) {
    var checker = new DecisionChecker(log, observed);
    return observed.stream()
        .filter(Decided.class::isInstance)
        .map(one -> checker.complaint((Decided) one))
        .filter(complaint -> !complaint.isEmpty())
        .toList();
  }

  /** "" when it can be. */
  private String complaint(Decided decided) {
    var before = told.lowerEntry(decided.began());
    long oldest = before == null ? 0 : before.getValue();
    var after = asked.higherEntry(decided.ended());
    long newest = after == null ? Long.MAX_VALUE : after.getValue() - 1;
    if (decided.revision() > 0) {
      if (decided.revision() < oldest) {
        return decided + " is older than " + oldest + ", which was acknowledged before it began";
      }
      oldest = decided.revision();
      newest = decided.revision();
    }
    if (moments(oldest, newest)
        .mapToObj(moment -> rules.floorEntry(moment).getValue())
        .noneMatch(there -> decided.deed().under(there) == decided.verdict())) {
      return "%s, but from %d to %d there were %s"
          .formatted(
              decided,
              oldest,
              newest,
              moments(oldest, newest)
                  .mapToObj(moment -> moment + ": " + rules.floorEntry(moment).getValue())
                  .toList());
    }
    return "";
  }

  /** The first revision and all at which the rules were changed up to the last one. */
  private LongStream moments(long oldest, long newest) {
    var within = rules.subMap(oldest, false, Math.max(oldest, newest), true).keySet();
    return LongStream.concat(LongStream.of(oldest), within.stream().mapToLong(Long::longValue));
  }
}
