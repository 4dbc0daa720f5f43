package dev.muster.admission.podsecurity;

import java.util.Collection;
import java.util.List;

/**
 * A violated check.
 *
 * @param reason the name of the check
 * @param detail the containers and values that violate it
 */
record Violation(String reason, String detail) {
  static String details(List<Violation> all) {
    return String.join(", ", all.stream().map(Violation::toString).toList());
  }

  static String reasons(List<Violation> all) {
    return String.join(", ", all.stream().map(Violation::reason).toList());
  }

  /** {@code container "a"} or {@code containers "a", "b"}. */
  static String containers(Collection<String> names) {
    return plural(names, "container", "containers") + " " + quote(names);
  }

  static String plural(Collection<String> things, String one, String several) {
    return things.size() == 1 ? one : several;
  }

  static String quote(Collection<String> texts) {
    return texts.isEmpty() ? "" : "\"" + String.join("\", \"", texts) + "\"";
  }

  @Override
  public String toString() {
    return detail.isEmpty() ? reason : reason + " (" + detail + ")";
  }
}
