package dev.muster.server.health;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * All checks of a server, in the order in which they are shown. Safe for any thread; checks look at
 * values at hand and never block.
 */
public final class HealthChecks {
  /** The three questions that are asked over HTTP. */
  public enum Question {
    HEALTHZ,
    /** Should the server be restarted? */
    LIVEZ,
    /** Should the server get requests? */
    READYZ;

    String path() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What was found how often, for whom. */
  record Finding(String check, Question question, boolean passes) {}

  /** How a question was answered. */
  public record Report(boolean passed, String text) {}

  private final List<HealthCheck> checks = new CopyOnWriteArrayList<>();
  private final List<HealthCheck> last = new CopyOnWriteArrayList<>();
  private final Set<String> completedHooks = ConcurrentHashMap.newKeySet();
  private final Map<Finding, LongAdder> findings = new ConcurrentHashMap<>();

  public void add(HealthCheck check) {
    checks.add(check);
  }

  /** A check that passes from the moment on at which the returned task has run. */
  public Runnable addHook(String name) {
    var shown = "poststarthook/" + name;
    checks.add(HealthCheck.always(shown, () -> completedHooks.contains(shown)));
    return () -> completedHooks.add(shown);
  }

  /** Adds the check that fails when the server begins to shut down; shown last. */
  public void addLast(String name, BooleanSupplier passes) {
    last.add(HealthCheck.forReadiness(name, passes));
  }

  public List<HealthCheck> all() {
    return Stream.concat(checks.stream(), last.stream()).toList();
  }

  /** Whether everything is there that a start waits for. */
  public boolean ready() {
    return all().stream().allMatch(check -> !check.awaited() || check.passes().getAsBoolean());
  }

  /** What is wrong though a start need not wait for it; "" for nothing. */
  public String degradedReason() {
    return all().stream()
        .filter(check -> !check.awaited() && !check.passes().getAsBoolean())
        .map(check -> check.why().get())
        .collect(Collectors.joining("; "));
  }

  /**
   * Every check of a question, one line each.
   *
   * @param maySee whether the one who asks may know why the check at that path fails
   */
  Report report(Question question, Set<String> excluded, Predicate<String> maySee) {
    var text = new StringBuilder();
    boolean passed = true;
    for (var check : all()) {
      if (!asked(check, question)) {
        continue;
      }
      if (excluded.contains(check.name())) {
        text.append("[+]").append(check.name()).append(" excluded: ok\n");
      } else if (passes(check, question)) {
        var note = check.note().get();
        text.append("[+]").append(check.name()).append(" ok");
        text.append(note.isEmpty() ? "" : ": " + note).append('\n');
      } else {
        passed = false;
        text.append("[-]").append(check.name());
        boolean told = maySee.test("/" + question.path() + "/" + check.name());
        text.append(" failed: ").append((told ? check.reason() : check.why()).get()).append('\n');
      }
    }
    text.append(question.path()).append(passed ? " check passed\n" : " check failed\n");
    return new Report(passed, text.toString());
  }

  /** A single check; null-like empty list when there is none of that name. */
  public List<HealthCheck> named(Question question, String name) {
    return all().stream()
        .filter(check -> asked(check, question) && check.name().equals(name))
        .toList();
  }

  /** Whether a check passes for somebody who asks; that is counted. */
  boolean passes(HealthCheck check, Question question) {
    boolean passes = check.passes().getAsBoolean();
    findings
        .computeIfAbsent(new Finding(check.name(), question, passes), finding -> new LongAdder())
        .increment();
    return passes;
  }

  /** How often each answer was given. */
  Map<Finding, LongAdder> findings() {
    return findings;
  }

  static boolean asked(HealthCheck check, Question question) {
    return check.questions().contains(question);
  }
}
