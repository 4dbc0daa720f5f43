package dev.muster.it.history;

import dev.muster.it.history.Observation.Delete;
import dev.muster.it.history.Observation.Event;
import dev.muster.it.history.Observation.Listing;
import dev.muster.it.history.Observation.Outcome;
import dev.muster.it.history.Observation.Read;
import dev.muster.it.history.Observation.Watch;
import dev.muster.it.history.Observation.Write;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Used by one thread. Decides whether what clients saw can come from one ordered log that loses
 * nothing it acknowledged:
 *
 * <ul>
 *   <li>every acknowledged write has a revision of its own, and every watch that covers it shows
 *       it; what was refused is never seen
 *   <li>each watch shows revisions in order, each once, and all watches agree on what a revision is
 *   <li>a linearizable read or list shows everything that was acknowledged before it began, nothing
 *       that was not begun when it ended, and never goes behind an earlier one
 *   <li>a list is exactly what the log says at its revision
 * </ul>
 */
public final class HistoryChecker {
  private final List<String> violations = new ArrayList<>();
  private final NavigableMap<Long, Event> log = new TreeMap<>();
  private final Map<String, Write> writes = new HashMap<>();
  private final List<Observation> history;

  private HistoryChecker(List<Observation> history) {
    this.history = history;
  }

  /** What cannot be true, in words; empty when all can. */
  public static List<String> violations(List<Observation> history) {
    var checker = new HistoryChecker(history);
    checker.check();
    return checker.violations;
  }

  private void check() {
    of(Write.class).forEach(write -> writes.put(write.value(), write));
    of(Watch.class).forEach(this::addToLog);
    for (var write : of(Write.class)) {
      if (write.outcome() == Outcome.ACKNOWLEDGED) {
        addToLog(
            "the server of " + write.value(),
            new Event(write.key(), write.value(), write.revision(), false));
      }
    }
    of(Watch.class).forEach(this::checkComplete);
    log.values().forEach(this::checkOrigin);
    checkEachValueOnce();
    of(Read.class).forEach(this::checkRead);
    of(Listing.class).forEach(this::checkListing);
    checkReadsNeverGoBack();
    checkDeletes();
  }

  private <T> List<T> of(Class<T> type) {
    return history.stream().filter(type::isInstance).map(type::cast).toList();
  }

  private void violation(String text) {
    violations.add(text);
  }

  private void addToLog(Watch watch) {
    long last = watch.after();
    for (var event : watch.events()) {
      if (event.revision() <= last) {
        violation("%s saw revision %d after %d".formatted(watch.name(), event.revision(), last));
      }
      last = event.revision();
      addToLog(watch.name(), event);
    }
  }

  private void addToLog(String witness, Event event) {
    var known = log.putIfAbsent(event.revision(), event);
    if (known != null && !known.equals(event)) {
      violation("%s says %s, somebody else says %s".formatted(witness, event, known));
    }
  }

  /** Whatever anybody saw between the ends of a watch, it must have seen too. */
  private void checkComplete(Watch watch) {
    var seen = new TreeMap<Long, Event>();
    watch.events().forEach(event -> seen.put(event.revision(), event));
    for (var event : log.subMap(watch.after(), false, watch.upTo(), true).values()) {
      if (!seen.containsKey(event.revision())) {
        violation("%s has a gap: it never saw %s".formatted(watch.name(), event));
      }
    }
  }

  private void checkOrigin(Event event) {
    var write = writes.get(event.value());
    if (write == null) {
      violation("nobody wrote %s".formatted(event));
    } else if (write.outcome() == Outcome.REFUSED) {
      violation("%s was refused and happened all the same".formatted(event));
    } else if (!write.key().equals(event.key())) {
      violation("%s belongs to %s".formatted(event, write.key()));
    }
  }

  private void checkEachValueOnce() {
    var seen = new HashMap<String, Long>();
    for (var event : log.values()) {
      if (!event.deleted()) {
        var before = seen.putIfAbsent(event.value(), event.revision());
        if (before != null) {
          violation("%s happened at %d already".formatted(event, before));
        }
      }
    }
  }

  private void checkRead(Read read) {
    var current = read.revision() == Observation.NONE ? null : log.get(read.revision());
    if (current != null && !current.value().equals(read.value())) {
      violation("%s is not what the log has: %s".formatted(read, current));
    }
    var origin = read.value().isEmpty() ? null : writes.get(read.value());
    if (origin != null && origin.began() > read.ended()) {
      violation("%s saw a write that had not begun".formatted(read));
    }
    for (var write : writes.values()) {
      boolean mustShow =
          write.key().equals(read.key())
              && write.outcome() == Outcome.ACKNOWLEDGED
              && write.ended() < read.began();
      if (mustShow && read.revision() < write.revision() && !deletedAfter(write)) {
        violation("stale: %s does not show %s".formatted(read, write));
      }
    }
  }

  private boolean deletedAfter(Write write) {
    return log.tailMap(write.revision(), false).values().stream()
        .anyMatch(event -> event.deleted() && event.key().equals(write.key()));
  }

  private void checkListing(Listing listing) {
    for (var write : writes.values()) {
      if (write.outcome() == Outcome.ACKNOWLEDGED
          && write.ended() < listing.began()
          && write.revision() > listing.revision()) {
        violation("stale: the list at %d does not show %s".formatted(listing.revision(), write));
      }
    }
    if (of(Watch.class).stream().noneMatch(watch -> covers(watch, listing))) {
      return;
    }
    var expected = stateAt(listing.revision());
    if (!expected.equals(listing.values())) {
      violation(
          "the list at %d is %s, the log says %s"
              .formatted(listing.revision(), listing.values(), expected));
    }
  }

  /** Only a watch from the very beginning tells what a list must hold. */
  private static boolean covers(Watch watch, Listing listing) {
    return watch.after() == Observation.NONE && watch.upTo() >= listing.revision();
  }

  private Map<String, String> stateAt(long revision) {
    var state = new HashMap<String, String>();
    for (var event : log.headMap(revision, true).values()) {
      if (event.deleted()) {
        state.remove(event.key());
      } else {
        state.put(event.key(), event.value());
      }
    }
    return state;
  }

  private void checkReadsNeverGoBack() {
    var reads = of(Read.class);
    for (var later : reads) {
      for (var earlier : reads) {
        if (earlier.key().equals(later.key())
            && earlier.ended() < later.began()
            && later.revision() != Observation.NONE
            && later.revision() < earlier.revision()) {
          violation("%s goes behind %s".formatted(later, earlier));
        }
      }
    }
  }

  private void checkDeletes() {
    for (var delete : of(Delete.class)) {
      if (delete.outcome() != Outcome.ACKNOWLEDGED) {
        continue;
      }
      if (log.values().stream().noneMatch(e -> e.deleted() && e.key().equals(delete.key()))) {
        violation("%s was acknowledged and never happened".formatted(delete));
      }
      @Nullable Read seen =
          of(Read.class).stream()
              .filter(read -> read.key().equals(delete.key()) && read.began() > delete.ended())
              .filter(read -> read.revision() != Observation.NONE)
              .findFirst()
              .orElse(null);
      if (seen != null) {
        violation("%s shows what was deleted by %s".formatted(seen, delete));
      }
    }
  }
}
