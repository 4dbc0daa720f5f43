package dev.muster.registry.rules.admission;

import dev.muster.registry.rules.Conditions;
import dev.muster.registry.rules.Place;

/** The status of a validating policy: what a type check found. */
final class PolicyStatus {
  private PolicyStatus() {}

  static void check(Place status) {
    for (var warning : status.at("typeChecking", "expressionWarnings").items()) {
      if (warning.at("warning").isEmpty()) {
        warning.at("warning").required("");
      }
      if (warning.at("fieldRef").text().isBlank()) {
        warning.at("fieldRef").required("");
      }
    }
    Conditions.check(status.at("conditions"));
  }
}
