package dev.muster.authorization.rbac;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.authorization.PolicyRule;
import dev.muster.authorization.rbac.Coverage.End;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is missing, found without writing out what a rule stands for. */
class CoverageTest {
  private static PolicyRule rule(
      List<String> groups, List<String> resources, List<String> names, List<String> verbs) {
    return new PolicyRule(verbs, groups, resources, names, List.of());
  }

  private static List<String> texts(String prefix, int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> prefix + i).toList();
  }

  private static final class Told implements Coverage.Listener {
    final List<PolicyRule> rights = new ArrayList<>();
    private final int most;

    Told(int most) {
      this.most = most;
    }

    @Override
    public boolean missing(PolicyRule right) {
      rights.add(right);
      return rights.size() < most;
    }
  }

  private static PolicyRule cube(int side) {
    return rule(texts("g", 0, side), texts("r", 0, side), texts("n", 0, side), texts("v", 0, side));
  }

  @Test
  void aRuleThatStandsForBillionsIsHeldByOneThatIsEqual() {
    var told = new Told(1);
    var outcome = Coverage.missing(List.of(cube(400)), List.of(cube(400)), told);
    assertThat(outcome.end()).isEqualTo(End.COMPLETE);
    assertThat(told.rights).isEmpty();
    assertThat(outcome.steps()).isLessThan(10_000);
  }

  @Test
  void aRuleThatStandsForBillionsAndIsNotHeldIsToldUntilItIsEnough() {
    var told = new Told(10);
    var outcome = Coverage.missing(List.of(), List.of(cube(400)), told);
    assertThat(outcome.end()).isEqualTo(End.STOPPED);
    assertThat(told.rights).hasSize(10).allSatisfy(right -> assertThat(right.verbs()).hasSize(400));
    assertThat(outcome.steps()).isLessThan(20_000);
  }

  @Test
  void halvesThatTogetherHoldABillionCombinationsAreEnough() {
    int side = 400;
    var halves = new ArrayList<PolicyRule>();
    for (int part = 0; part < 16; part++) {
      halves.add(
          rule(
              half("g", side, part),
              half("r", side, part >> 1),
              half("n", side, part >> 2),
              half("v", side, part >> 3)));
    }
    var told = new Told(1);
    var outcome = Coverage.missing(halves, List.of(cube(side)), told);
    assertThat(outcome.end()).isEqualTo(End.COMPLETE);
    assertThat(outcome.steps()).isLessThan(100_000);
    var lacking = halves.subList(0, 15);
    outcome = Coverage.missing(lacking, List.of(cube(side)), told);
    assertThat(outcome.end()).isEqualTo(End.STOPPED);
    assertThat(outcome.steps()).isLessThan(100_000);
  }

  private static List<String> half(String prefix, int side, int which) {
    return (which & 1) == 0 ? texts(prefix, 0, side / 2) : texts(prefix, side / 2, side);
  }

  /** Every value is allowed by other rules than every other one, so that none decides another. */
  @Test
  void givesUpOnRulesThatAreMadeToBeHardAndSaysSo() {
    int side = 300;
    var held = new ArrayList<PolicyRule>();
    for (int i = 0; i < side; i++) {
      held.add(
          rule(
              texts("g", 0, i + 1), texts("r", 0, side), texts("n", 0, side), texts("v", 0, side)));
      held.add(
          rule(
              texts("g", 0, side), texts("r", i, side), texts("n", 0, i + 1), texts("v", 0, side)));
      held.add(
          rule(texts("g", 0, side), texts("r", 0, side), texts("n", i, side), texts("v", 0, i)));
    }
    held.removeIf(rule -> Coverage.covers(List.of(rule), List.of(cube(side))));
    var outcome = Coverage.missing(held, List.of(cube(side)), new Told(Integer.MAX_VALUE));
    assertThat(outcome.end()).isEqualTo(End.GIVEN_UP);
    assertThat(outcome.steps()).isLessThan(2 * Coverage.MOST_STEPS);
    assertThat(Coverage.covers(held, List.of(cube(side)))).isFalse();
  }

  @Test
  void findsWhatWritingOutEveryCombinationFinds() {
    var random = new Random(7);
    for (int run = 0; run < 3_000; run++) {
      var held = rules(random);
      var wanted = rules(random);
      assertThat(Coverage.missing(held, wanted))
          .as("%s of %s", wanted, held)
          .isEqualTo(writtenOut(held, wanted));
    }
  }

  private static List<PolicyRule> rules(Random random) {
    return IntStream.range(0, random.nextInt(5))
        .mapToObj(
            i ->
                random.nextInt(4) == 0
                    ? new PolicyRule(
                        some(random, "a", "b", "*"),
                        List.of(),
                        List.of(),
                        List.of(),
                        some(random, "/x", "/x/y", "/x/*", "*", "/z*"))
                    : new PolicyRule(
                        some(random, "a", "b", "c", "*"),
                        some(random, "", "g", "*"),
                        some(random, "p", "p/s", "q/s", "*/s", "*"),
                        random.nextBoolean() ? List.of() : some(random, "m", "n"),
                        List.of()))
        .toList();
  }

  private static List<String> some(Random random, String... texts) {
    var some = new ArrayList<String>();
    for (var text : texts) {
      if (random.nextInt(3) == 0) {
        some.add(text);
      }
    }
    return some;
  }

  private static List<PolicyRule> writtenOut(List<PolicyRule> held, List<PolicyRule> wanted) {
    var all = new Coverage.Rights();
    for (var rule : wanted) {
      for (var group : rule.apiGroups()) {
        for (var resource : rule.resources()) {
          var names = rule.resourceNames().isEmpty() ? List.of("") : rule.resourceNames();
          for (var name : names) {
            for (var verb : rule.verbs()) {
              var named = rule.resourceNames().isEmpty() ? List.<String>of() : List.of(name);
              var right = rule(List.of(group), List.of(resource), named, List.of(verb));
              if (held.stream().noneMatch(each -> holds(each, right))) {
                all.add(right);
              }
            }
          }
        }
      }
      for (var path : rule.nonResourceUrls()) {
        for (var verb : rule.verbs()) {
          var right = new PolicyRule(List.of(verb), List.of(), List.of(), List.of(), List.of(path));
          if (held.stream().noneMatch(each -> holds(each, right))) {
            all.add(right);
          }
        }
      }
    }
    return all.rules();
  }

  private static boolean holds(PolicyRule held, PolicyRule right) {
    return (held.resourceNames().isEmpty()
            || (!right.resourceNames().isEmpty()
                && held.resourceNames().containsAll(right.resourceNames())))
        && holdsAll(held.verbs(), right.verbs())
        && holdsAll(held.apiGroups(), right.apiGroups())
        && right.resources().stream()
            .allMatch(
                resource ->
                    held.resources().contains("*")
                        || held.resources().contains(resource)
                        || (resource.contains("/")
                            && held.resources()
                                .contains("*" + resource.substring(resource.indexOf('/')))))
        && right.nonResourceUrls().stream()
            .allMatch(
                path ->
                    held.nonResourceUrls().stream().anyMatch(own -> PolicyRule.covers(own, path)));
  }

  private static boolean holdsAll(List<String> held, List<String> wanted) {
    return held.contains("*") || held.containsAll(wanted);
  }
}
