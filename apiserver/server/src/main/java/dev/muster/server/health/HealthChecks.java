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
 * All health checks of a server, in the order in which they are shown. Thread-safe. Checks only
 * read values in memory and never block.
 */
public final class HealthChecks {
  /** The three health endpoints. */
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

  /** One result of a check for one endpoint. */
  record Finding(String check, Question question, boolean passes) {}

  /** The result of an endpoint. */
  public record Report(boolean passed, String text) {}

  private final List<HealthCheck> checks = new CopyOnWriteArrayList<>();
  private final List<HealthCheck> last = new CopyOnWriteArrayList<>();
  private final Set<String> completedHooks = ConcurrentHashMap.newKeySet();
  private final Map<Finding, LongAdder> findings = new ConcurrentHashMap<>();

  public void add(HealthCheck check) {
    checks.add(check);
  }

  /** Adds a check that passes once the returned task has run. */
  public Runnable addHook(String name) {
    var shown = "poststarthook/" + name;
    checks.add(HealthCheck.always(shown, () -> completedHooks.contains(shown)));
    return () -> completedHooks.add(shown);
  }

  /** Adds the check that fails when the server begins to stop; shown last. */
  public void addLast(String name, BooleanSupplier passes) {
    last.add(HealthCheck.forReadiness(name, passes));
  }

  public List<HealthCheck> all() {
    return Stream.concat(checks.stream(), last.stream()).toList();
  }

  /** Whether all checks pass for which the start waits. */
  public boolean ready() {
    return all().stream().allMatch(check -> !check.awaited() || check.passes().getAsBoolean());
  }

  /** The reasons of failed checks for which the start does not wait; "" for none. */
  public String degradedReason() {
    return all().stream()
        .filter(check -> !check.awaited() && !check.passes().getAsBoolean())
        .map(check -> check.why().get())
        .collect(Collectors.joining("; "));
  }

  /**
   * All checks of an endpoint, one line each.
   *
   * @param maySee whether the client may see why the check at that path fails
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

  /** The check of that name; an empty list when there is none. */
  public List<HealthCheck> named(Question question, String name) {
    return all().stream()
        .filter(check -> asked(check, question) && check.name().equals(name))
        .toList();
  }

  /** Runs a check for a client and counts the result. */
  boolean passes(HealthCheck check, Question question) {
    boolean passes = check.passes().getAsBoolean();
    findings
        .computeIfAbsent(new Finding(check.name(), question, passes), finding -> new LongAdder())
        .increment();
    return passes;
  }

  /** The counts of all results. */
  Map<Finding, LongAdder> findings() {
    return findings;
  }

  static boolean asked(HealthCheck check, Question question) {
    return check.questions().contains(question);
  }
}
