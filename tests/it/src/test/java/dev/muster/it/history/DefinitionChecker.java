package dev.muster.it.history;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Whether a log could have come about when every object is stored by the newest definition of its
 * type. Each form of the definition has a number of its own, which it gives as a default to every
 * object that is written.
 */
public final class DefinitionChecker {
  private final List<String> violations = new ArrayList<>();
  private final Set<String> live = new HashSet<>();
  private @Nullable Defined newest;

  private DefinitionChecker() {}

  /** One change in the log. */
  public sealed interface Change {
    long revision();
  }

  /** The definition got this form. */
  public record Defined(long revision, long form, String storageVersion) implements Change {}

  /** The definition is gone. */
  public record Undefined(long revision) implements Change {}

  /** An object was written by the definition of that form. */
  public record Stored(long revision, String key, long form, String version) implements Change {}

  /** An object is gone. */
  public record Removed(long revision, String key) implements Change {}

  /** What cannot be; the changes are in the order of the log. */
  public static List<String> violations(List<Change> log) {
    var checker = new DefinitionChecker();
    log.forEach(checker::see);
    return checker.violations;
  }

  private void see(Change change) {
    switch (change) {
      case Defined defined -> newest = defined;
      case Undefined undefined -> {
        if (!live.isEmpty()) {
          violations.add("left behind by " + undefined + ": " + live);
        }
        newest = null;
      }
      case Stored stored -> {
        live.add(stored.key());
        if (newest == null) {
          violations.add(stored + " without a definition");
        } else if (stored.form() != newest.form()) {
          violations.add(stored + " by an outdated definition, the newest is " + newest);
        } else if (!stored.version().equals(newest.storageVersion())) {
          violations.add(stored + " in a version that is not stored, by " + newest);
        }
      }
      case Removed removed -> live.remove(removed.key());
    }
  }
}
