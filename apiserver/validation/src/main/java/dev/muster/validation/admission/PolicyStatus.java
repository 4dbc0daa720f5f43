package dev.muster.validation.admission;

import dev.muster.model.json.Json;
import dev.muster.validation.Conditions;
import dev.muster.validation.FieldCursor;

/** The status of a validating policy, which contains the results of type checking. */
final class PolicyStatus {
  private PolicyStatus() {}

  static void check(FieldCursor status) {
    for (var warning : status.at("typeChecking", "expressionWarnings").items()) {
      if (warning.at("warning").isEmpty()) {
        warning.at("warning").required("");
      }
      fieldRef(warning.at("fieldRef"));
    }
    Conditions.check(status.at("conditions"));
  }

  private static void fieldRef(FieldCursor place) {
    var path = place.text().strip();
    if (path.isEmpty()) {
      place.required("");
      return;
    }
    var problem = JsonPaths.problem(path);
    if (!problem.isEmpty()) {
      place.invalid(Json.of(path), "invalid JSONPath: " + problem);
    }
  }
}
