package dev.muster.server.discovery;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Merges several lists into one and keeps the order of neighbours in each list. Names without a
 * defined order are sorted alphabetically. If the lists contradict one another, all names are
 * sorted alphabetically.
 */
final class RelativeOrder {
  private RelativeOrder() {}

  static List<String> of(List<List<String>> lists) {
    var all = new TreeSet<String>();
    lists.forEach(all::addAll);
    for (var list : lists) {
      if (list.size() == all.size() && all.equals(new HashSet<>(list))) {
        return list;
      }
    }
    var sorted = sorted(all, lists);
    return sorted.size() == all.size() ? sorted : List.copyOf(all);
  }

  /** Takes names without predecessors until there are none; names in a cycle remain. */
  private static List<String> sorted(Set<String> all, List<List<String>> lists) {
    Map<String, Set<String>> after = new TreeMap<>();
    Map<String, Integer> before = new HashMap<>();
    for (var list : lists) {
      for (int i = 0; i + 1 < list.size(); i++) {
        var next = list.get(i + 1);
        if (after.computeIfAbsent(list.get(i), name -> new TreeSet<>()).add(next)) {
          before.merge(next, 1, Integer::sum);
        }
      }
    }
    var free = new PriorityQueue<String>();
    all.stream().filter(name -> !before.containsKey(name)).forEach(free::add);
    var sorted = new ArrayList<String>();
    for (var name = free.poll(); name != null; name = free.poll()) {
      sorted.add(name);
      for (var next : after.getOrDefault(name, Set.of())) {
        if (before.merge(next, -1, Integer::sum) == 0) {
          free.add(next);
        }
      }
    }
    return sorted;
  }
}
