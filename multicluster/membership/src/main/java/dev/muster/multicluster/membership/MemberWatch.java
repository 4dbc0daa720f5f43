package dev.muster.multicluster.membership;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;

/**
 * Finds out which members are alive. A member whose Lease looks old or lies in the future is
 * observed for one renewal interval: only a change of the Lease proves that it lives, whatever the
 * clocks say. Not thread-safe. Blocks the caller.
 *
 * @param members supplies the members of a set at a time, such as {@link ClusterSets#members}
 */
public record MemberWatch(
    BiFunction<String, Instant, List<ClusterSets.MemberView>> members,
    InstantSource clock,
    Pause pause) {
  private static final Duration LOOK = Duration.ofMillis(500);

  /** The tolerated delay of a renewal. */
  private static final Duration LATENESS = Duration.ofSeconds(3);

  static final Duration MOST = MemberLease.RENEWAL.plus(LATENESS);

  /** Waits. */
  public interface Pause {
    void rest(Duration time) throws InterruptedException;
  }

  /** The members of these sets, by set name. */
  public SortedMap<String, List<ClusterSets.MemberView>> check(List<String> sets)
      throws InterruptedException {
    var views = new TreeMap<String, List<ClusterSets.MemberView>>();
    sets.forEach(set -> views.put(set, members.apply(set, clock.instant())));
    var first = new HashMap<List<String>, String>();
    views.forEach(
        (set, list) -> list.forEach(member -> first.put(List.of(set, member.id()), member.sign())));
    var alive = new HashMap<List<String>, Instant>();
    for (var waited = Duration.ZERO;
        waited.compareTo(MOST) < 0 && isAnyDoubtful(views, alive);
        waited = waited.plus(LOOK)) {
      pause.rest(LOOK);
      for (var set : sets) {
        if (isAnyDoubtful(Map.of(set, views.getOrDefault(set, List.of())), alive)) {
          var now = members.apply(set, clock.instant());
          views.put(set, now);
          now.forEach(member -> compare(set, member, first, alive));
        }
      }
    }
    views.replaceAll((set, list) -> judged(set, list, alive));
    return views;
  }

  private void compare(
      String set,
      ClusterSets.MemberView member,
      Map<List<String>, String> first,
      Map<List<String>, Instant> alive) {
    var key = List.of(set, member.id());
    var before = first.putIfAbsent(key, member.sign());
    if (before != null && !before.equals(member.sign())) {
      alive.put(key, clock.instant());
      first.put(key, member.sign());
    }
  }

  /** A member without any renewal is not waited for: it has vanished, or just joined. */
  private static boolean isAnyDoubtful(
      Map<String, List<ClusterSets.MemberView>> views, Map<List<String>, Instant> alive) {
    return views.entrySet().stream()
        .anyMatch(
            set ->
                set.getValue().stream()
                    .anyMatch(
                        member ->
                            member.vanished()
                                && !member.sign().isEmpty()
                                && !alive.containsKey(List.of(set.getKey(), member.id()))));
  }

  private List<ClusterSets.MemberView> judged(
      String set, List<ClusterSets.MemberView> list, Map<List<String>, Instant> alive) {
    var judged = new ArrayList<ClusterSets.MemberView>();
    for (var member : list) {
      var seen = alive.get(List.of(set, member.id()));
      if (seen != null) {
        judged.add(member.seen(Optional.of(seen), false));
      } else {
        judged.add(
            member.seen(
                member.lastSeen().filter(time -> !MemberLease.isAhead(time, clock.instant())),
                member.vanished()));
      }
    }
    return judged;
  }
}
