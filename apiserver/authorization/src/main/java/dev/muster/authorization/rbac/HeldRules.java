package dev.muster.authorization.rbac;

import dev.muster.authorization.PolicyRule;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * An index of held rules by wanted value: for each value, the ascending numbers of the rules that
 * allow it. Immutable. Time and memory grow with the length of both lists of rules, not with their
 * product.
 */
final class HeldRules {
  static final int[] NONE = {};
  private static final String ALL = "*";

  private final Map<String, int[]> verbs = new HashMap<>();
  private final Map<String, int[]> groups = new HashMap<>();
  private final Map<String, int[]> resources = new HashMap<>();
  private final Map<String, int[]> names = new HashMap<>();
  private final Map<String, int[]> paths = new HashMap<>();

  /** The prefixes of paths that end with a star, by length. */
  private final Map<Integer, Map<String, int[]>> prefixes = new TreeMap<>();

  private int[] unnamed = NONE;

  /**
   * @param wanted the rules that will be compared
   */
  HeldRules(List<PolicyRule> held, List<PolicyRule> wanted) {
    var asked = new Asked(wanted);
    var unnamedRules = new Numbers();
    var collected = new Collected();
    for (int i = 0; i < held.size(); i++) {
      var rule = held.get(i);
      collected.add(collected.verbs, rule.verbs(), asked.verbs, i);
      collected.add(collected.groups, rule.apiGroups(), asked.groups, i);
      collected.add(collected.resources, rule.resources(), asked.resources, i);
      collected.add(collected.names, rule.resourceNames(), asked.names, i);
      if (rule.resourceNames().isEmpty()) {
        unnamedRules.add(i);
        if (!asked.paths.isEmpty()) {
          addPaths(collected, rule, asked.paths, i);
        }
      }
    }
    collected.verbs.forEach((text, numbers) -> verbs.put(text, numbers.toArray()));
    collected.groups.forEach((text, numbers) -> groups.put(text, numbers.toArray()));
    collected.resources.forEach((text, numbers) -> resources.put(text, numbers.toArray()));
    collected.names.forEach((text, numbers) -> names.put(text, numbers.toArray()));
    collected.paths.forEach((text, numbers) -> paths.put(text, numbers.toArray()));
    collected.prefixes.forEach(
        (text, numbers) ->
            prefixes
                .computeIfAbsent(text.length(), length -> new HashMap<>())
                .put(text, numbers.toArray()));
    unnamed = unnamedRules.toArray();
  }

  private static void addPaths(Collected to, PolicyRule rule, Set<String> asked, int number) {
    for (var path : rule.nonResourceUrls()) {
      int end = path.length();
      while (end > 0 && path.charAt(end - 1) == '*') {
        end--;
      }
      if (end < path.length()) {
        to.prefixes.computeIfAbsent(path.substring(0, end), key -> new Numbers()).add(number);
      }
      if (asked.contains(path)) {
        to.paths.computeIfAbsent(path, key -> new Numbers()).add(number);
      }
    }
  }

  int[] withVerb(String verb) {
    return of(verbs, verb);
  }

  int[] withAnyVerb() {
    return of(verbs, ALL);
  }

  int[] withGroup(String group) {
    return of(groups, group);
  }

  int[] withAnyGroup() {
    return of(groups, ALL);
  }

  int[] withResource(String resource) {
    int slash = resource.indexOf('/');
    var exact = of(resources, resource);
    return slash < 0 ? exact : union(exact, of(resources, ALL + resource.substring(slash)));
  }

  int[] withAnyResource() {
    return of(resources, ALL);
  }

  int[] withName(String name) {
    return of(names, name);
  }

  /** The rules that are not limited to object names. */
  int[] withAnyName() {
    return unnamed;
  }

  int[] withPath(String path) {
    var found = of(paths, path);
    for (var same : prefixes.entrySet()) {
      if (same.getKey() > path.length()) {
        break;
      }
      found = union(found, of(same.getValue(), path.substring(0, same.getKey())));
    }
    return found;
  }

  /** The number of distinct prefix lengths; a path lookup tries each. */
  int prefixLengths() {
    return prefixes.size();
  }

  private static int[] of(Map<String, int[]> all, String text) {
    return all.getOrDefault(text, NONE);
  }

  static int[] union(int[] a, int[] b) {
    if (a.length == 0 || a == b) {
      return b;
    }
    if (b.length == 0) {
      return a;
    }
    var all = new int[a.length + b.length];
    int count = 0;
    int i = 0;
    int j = 0;
    while (i < a.length || j < b.length) {
      int next = j == b.length || (i < a.length && a[i] <= b[j]) ? a[i++] : b[j++];
      if (count == 0 || all[count - 1] != next) {
        all[count++] = next;
      }
    }
    return Arrays.copyOf(all, count);
  }

  /** The intersection, by search in the longer array. */
  static int[] common(int[] a, int[] b) {
    var few = a.length <= b.length ? a : b;
    var many = few == a ? b : a;
    var both = new int[few.length];
    int count = 0;
    int from = 0;
    for (int number : few) {
      int found = Arrays.binarySearch(many, from, many.length, number);
      if (found >= 0) {
        both[count++] = number;
      }
      from = found >= 0 ? found + 1 : -found - 1;
    }
    return count == few.length ? few : Arrays.copyOf(both, count);
  }

  /** The texts that occur in the wanted rules. */
  private static final class Asked {
    final Set<String> verbs = new HashSet<>(Set.of(ALL));
    final Set<String> groups = new HashSet<>(Set.of(ALL));
    final Set<String> resources = new HashSet<>(Set.of(ALL));
    final Set<String> names = new HashSet<>();
    final Set<String> paths = new HashSet<>();

    Asked(List<PolicyRule> wanted) {
      for (var rule : wanted) {
        verbs.addAll(rule.verbs());
        groups.addAll(rule.apiGroups());
        names.addAll(rule.resourceNames());
        paths.addAll(rule.nonResourceUrls());
        for (var resource : rule.resources()) {
          resources.add(resource);
          int slash = resource.indexOf('/');
          if (slash >= 0) {
            resources.add(ALL + resource.substring(slash));
          }
        }
      }
    }
  }

  /** The numbers of rules by text during construction. */
  private static final class Collected {
    final Map<String, Numbers> verbs = new HashMap<>();
    final Map<String, Numbers> groups = new HashMap<>();
    final Map<String, Numbers> resources = new HashMap<>();
    final Map<String, Numbers> names = new HashMap<>();
    final Map<String, Numbers> paths = new HashMap<>();
    final Map<String, Numbers> prefixes = new HashMap<>();

    void add(Map<String, Numbers> to, List<String> texts, Set<String> asked, int number) {
      for (var text : texts) {
        if (asked.contains(text)) {
          to.computeIfAbsent(text, key -> new Numbers()).add(number);
        }
      }
    }
  }

  /** Ascending numbers without duplicates. */
  private static final class Numbers {
    private int[] numbers = new int[4];
    private int count;

    void add(int number) {
      if (count > 0 && numbers[count - 1] == number) {
        return;
      }
      if (count == numbers.length) {
        numbers = Arrays.copyOf(numbers, count * 2);
      }
      numbers[count++] = number;
    }

    int[] toArray() {
      return Arrays.copyOf(numbers, count);
    }
  }
}
