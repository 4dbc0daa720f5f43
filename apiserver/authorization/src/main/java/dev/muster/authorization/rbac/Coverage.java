package dev.muster.authorization.rbac;

import dev.muster.authorization.PolicyRule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Computes which wanted rights a set of held rules does not cover, for the escalation check. Not
 * thread-safe; used once.
 *
 * <p>A rule stands for all combinations of its verbs, groups, resources and names, so a short one
 * can stand for billions. The search therefore compares whole rules first and expands only the
 * rest. It decides values that the same held rules allow only once, and ends after a fixed number
 * of steps.
 */
public final class Coverage {
  /** A step compares one rule with one value and takes about ten nanoseconds. */
  static final long MOST_STEPS = 4_000_000;

  /** The ways in which a search ends. */
  public enum End {
    /** All missing rights were reported. */
    COMPLETE,
    /** The listener wants no more. */
    STOPPED,
    /** There are too many combinations; the rest is unknown. */
    GIVEN_UP
  }

  /**
   * The result of a search.
   *
   * @param steps the number of comparisons
   */
  public record Outcome(End end, long steps) {}

  /** Receives missing rights. */
  public interface Listener {
    /**
     * @param right verbs on one resource, perhaps of one name, or one verb on one path
     * @return whether the search should continue
     */
    boolean missing(PolicyRule right);
  }

  private final HeldRules held;
  private final Listener listener;
  private long steps;
  private boolean stopped;

  private Coverage(HeldRules held, Listener listener) {
    this.held = held;
    this.listener = listener;
  }

  /** Reports the wanted rights that the held rules do not cover, in order. */
  public static Outcome missing(List<PolicyRule> held, List<PolicyRule> wanted, Listener listener) {
    var search = new Coverage(new HeldRules(held, wanted), listener);
    var end = search.missing(wanted);
    return new Outcome(end, search.steps);
  }

  public static boolean covers(List<PolicyRule> held, List<PolicyRule> wanted) {
    return missing(held, wanted, right -> false).end() == End.COMPLETE;
  }

  /** All missing rights; rules that differ only in the verb are merged. */
  public static List<PolicyRule> missing(List<PolicyRule> held, List<PolicyRule> wanted) {
    var all = new Rights();
    missing(
        held,
        wanted,
        right -> {
          all.add(right);
          return true;
        });
    return all.rules();
  }

  private End missing(List<PolicyRule> wanted) {
    for (var rule : wanted) {
      resources(rule);
      paths(rule);
      if (isOver()) {
        return stopped ? End.STOPPED : End.GIVEN_UP;
      }
    }
    return End.COMPLETE;
  }

  private boolean isOver() {
    return stopped || steps > MOST_STEPS;
  }

  private void report(PolicyRule right) {
    stopped |= !listener.missing(right);
  }

  private void resources(PolicyRule rule) {
    if (rule.apiGroups().isEmpty() || rule.resources().isEmpty() || rule.verbs().isEmpty()) {
      return;
    }
    var groups = new Dimension(rule.apiGroups(), held::withGroup, held.withAnyGroup());
    var resources = new Dimension(rule.resources(), held::withResource, held.withAnyResource());
    var names =
        rule.resourceNames().isEmpty()
            ? new Dimension(List.of(""), name -> HeldRules.NONE, held.withAnyName())
            : new Dimension(rule.resourceNames(), held::withName, held.withAnyName());
    var verbs = new Dimension(rule.verbs(), held::withVerb, held.withAnyVerb());
    var candidates = HeldRules.common(groups.some(), resources.some());
    candidates = HeldRules.common(candidates, HeldRules.common(names.some(), verbs.some()));
    descend(rule, List.of(groups, resources, names), verbs, candidates, List.of());
  }

  /**
   * Reports the missing rights below the chosen values; returns whether there are any.
   *
   * @param left the dimensions whose value is still to be chosen
   * @param candidates the held rules that allow all chosen values
   */
  private boolean descend(
      PolicyRule rule,
      List<Dimension> left,
      Dimension verbs,
      int[] candidates,
      List<String> chosen) {
    steps += 1 + candidates.length;
    if (isOver() || holdsAll(candidates, left, verbs)) {
      return false;
    }
    if (left.isEmpty()) {
      return verbs(rule, verbs, candidates, chosen);
    }
    boolean any = false;
    var dimension = left.getFirst();
    var always = HeldRules.common(candidates, dimension.any());
    var covered = new HashSet<Row>();
    for (var value : dimension.values()) {
      var allowing = dimension.allowing(value, candidates);
      if (isOver()) {
        return any;
      }
      var same = new Row(allowing);
      if (covered.contains(same)) {
        continue;
      }
      var more = new ArrayList<>(chosen);
      more.add(value);
      var rest = left.subList(1, left.size());
      if (descend(rule, rest, verbs, HeldRules.union(always, allowing), more)) {
        any = true;
      } else {
        covered.add(same);
      }
    }
    return any;
  }

  /** Whether a single rule allows all remaining values. */
  private static boolean holdsAll(int[] candidates, List<Dimension> left, Dimension verbs) {
    var all = HeldRules.common(candidates, verbs.every());
    for (var dimension : left) {
      all = HeldRules.common(all, dimension.every());
    }
    return all.length > 0;
  }

  private boolean verbs(PolicyRule rule, Dimension verbs, int[] candidates, List<String> thing) {
    var absent = absent(verbs, candidates);
    if (absent.isEmpty()) {
      return false;
    }
    var names = rule.resourceNames().isEmpty() ? List.<String>of() : List.of(thing.get(2));
    report(new PolicyRule(absent, List.of(thing.get(0)), List.of(thing.get(1)), names, List.of()));
    return true;
  }

  /** The verbs that no candidate allows; empty when the search is over. */
  private List<String> absent(Dimension verbs, int[] candidates) {
    var absent = new ArrayList<String>();
    if (HeldRules.common(candidates, verbs.any()).length == 0) {
      for (var verb : verbs.values()) {
        if (verbs.allowing(verb, candidates).length == 0) {
          absent.add(verb);
        }
        if (isOver()) {
          return List.of();
        }
      }
    }
    return absent;
  }

  private void paths(PolicyRule rule) {
    if (rule.nonResourceUrls().isEmpty() || rule.verbs().isEmpty()) {
      return;
    }
    var verbs = new Dimension(rule.verbs(), held::withVerb, held.withAnyVerb());
    var covered = new HashSet<Row>();
    for (var path : rule.nonResourceUrls()) {
      steps += 1 + (long) held.prefixLengths() * (1 + path.length() / 64);
      if (isOver()) {
        return;
      }
      var candidates = held.withPath(path);
      steps += candidates.length;
      var same = new Row(candidates);
      if (!covered.contains(same)) {
        var absent = absent(verbs, candidates);
        if (absent.isEmpty()) {
          covered.add(same);
        }
        for (int i = 0; i < absent.size() && !isOver(); i++) {
          var verb = List.of(absent.get(i));
          report(new PolicyRule(verb, List.of(), List.of(), List.of(), List.of(path)));
        }
      }
    }
  }

  /** An array that is compared by content. */
  private record Row(int[] numbers) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Row row && Arrays.equals(numbers, row.numbers);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(numbers);
    }
  }

  /** One list of a wanted rule, with the held rules that allow its values. */
  private final class Dimension {
    private final List<String> values;
    private final Map<String, int[]> rules = new HashMap<>();
    private final int[] any;
    private final int[] some;
    private final int[] every;

    /**
     * @param naming the held rules that name a value
     * @param any the held rules that allow every value
     */
    Dimension(List<String> values, Function<String, int[]> naming, int[] any) {
      this.values = values;
      this.any = any;
      var counts = new HashMap<Integer, Integer>();
      for (var value : values) {
        if (!rules.containsKey(value) && !isOver()) {
          var found = naming.apply(value);
          steps += 1 + found.length;
          rules.put(value, found);
          for (int number : found) {
            counts.merge(number, 1, Integer::sum);
          }
        }
      }
      var named = counts.keySet().stream().mapToInt(Integer::intValue).sorted().toArray();
      some = HeldRules.union(any, named);
      every =
          HeldRules.union(
              any,
              Arrays.stream(named)
                  .filter(number -> counts.getOrDefault(number, 0) == rules.size())
                  .toArray());
    }

    List<String> values() {
      return values;
    }

    /** The candidates that allow the value. */
    int[] allowing(String value, int[] candidates) {
      var naming = rules.getOrDefault(value, HeldRules.NONE);
      steps += 1 + Math.min(naming.length, candidates.length);
      return HeldRules.common(naming, candidates);
    }

    /** The held rules that allow every possible value. */
    int[] any() {
      return any;
    }

    /** The held rules that allow at least one value of the list. */
    int[] some() {
      return some;
    }

    /** The held rules that allow all values of the list. */
    int[] every() {
      return every;
    }
  }

  /** Rights in their original order, with the verbs on one target in one rule; paths first. */
  static final class Rights {
    private record Thing(List<String> groups, List<String> resources, List<String> names) {}

    private final List<PolicyRule> paths = new ArrayList<>();
    private final Map<Thing, List<String>> verbs = new LinkedHashMap<>();

    void add(PolicyRule right) {
      if (right.nonResourceUrls().isEmpty()) {
        var thing = new Thing(right.apiGroups(), right.resources(), right.resourceNames());
        verbs.computeIfAbsent(thing, key -> new ArrayList<>()).addAll(right.verbs());
      } else {
        paths.add(right);
      }
    }

    List<PolicyRule> rules() {
      var rules = new ArrayList<>(paths);
      verbs.forEach(
          (thing, all) ->
              rules.add(
                  new PolicyRule(
                      all, thing.groups(), thing.resources(), thing.names(), List.of())));
      return rules;
    }
  }
}
