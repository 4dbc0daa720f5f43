package dev.muster.server.health;

import dev.muster.server.health.HealthChecks.Question;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Answers the health endpoints with text. */
public final class HealthRoutes {
  private final HealthChecks checks;

  public HealthRoutes(HealthChecks checks) {
    this.checks = checks;
  }

  /**
   * An answer in plain text.
   *
   * @param whole whether it is about all checks
   */
  public record Answer(int status, String text, boolean whole) {}

  /**
   * The answer for {@code /readyz}, {@code /livez/ping} and similar paths; null for other paths.
   *
   * @param mayGet whether the client may get that path: with permission for the path of a check, it
   *     sees the reason of a failure in every response
   */
  public @Nullable Answer answer(
      String path, boolean verbose, Collection<String> excluded, Predicate<String> mayGet) {
    for (var question : Question.values()) {
      var root = "/" + question.name().toLowerCase(Locale.ROOT);
      if (path.equals(root)) {
        var report = checks.report(question, new HashSet<>(excluded), mayGet);
        var text = verbose || !report.passed() ? report.text() : "ok";
        return new Answer(report.passed() ? 200 : 500, text, true);
      }
      if (path.startsWith(root + "/")) {
        return single(question, path.substring(root.length() + 1));
      }
    }
    return null;
  }

  /** All paths that are answered. */
  public List<String> paths() {
    var paths = new ArrayList<String>();
    for (var question : Question.values()) {
      var root = "/" + question.path();
      paths.add(root);
      for (var check : checks.all()) {
        if (HealthChecks.asked(check, question)) {
          paths.add(root + "/" + check.name());
        }
      }
    }
    return paths;
  }

  private @Nullable Answer single(Question question, String name) {
    var found = checks.named(question, name);
    if (found.isEmpty()) {
      return null;
    }
    var check = found.getFirst();
    return checks.passes(check, question)
        ? new Answer(200, "ok", false)
        : new Answer(500, "internal server error: " + check.reason().get() + "\n", false);
  }
}
