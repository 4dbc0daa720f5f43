package dev.muster.validation;

import static dev.muster.validation.FieldChecks.maxBytes;

import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.Json;
import dev.muster.model.validation.Names;
import java.util.HashSet;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Validates status conditions in the common form: type, status, lastTransitionTime, reason and
 * message.
 */
public final class Conditions {
  private static final List<String> STATUSES = List.of("False", "True", "Unknown");
  private static final int MOST_REASON_BYTES = 1024;
  private static final int MOST_MESSAGE_BYTES = 32 * 1024;
  private static final String REASON = "[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?";
  private static final Pattern REASON_PATTERN = Pattern.compile(REASON);
  private static final String REASON_RULE =
      Names.pattern(
          "a condition reason must start with alphabetic character, optionally followed by a string"
              + " of alphanumeric characters or '_,:', and must end with an alphanumeric character"
              + " or '_'",
          REASON,
          "my_name",
          "MY_NAME",
          "MyName",
          "ReasonA,ReasonB",
          "ReasonA:ReasonB");

  private Conditions() {}

  /** Validates all conditions of the list and requires unique types. */
  public static void check(FieldCursor conditions) {
    var types = new HashSet<String>();
    for (var condition : conditions.items()) {
      var type = condition.at("type");
      if (!types.add(type.text())) {
        type.duplicate();
      }
      one(condition);
    }
  }

  private static void one(FieldCursor condition) {
    var type = condition.at("type");
    type.invalidEach(Names.qualifiedName(type.text()));
    var status = condition.at("status");
    if (!STATUSES.contains(status.text())) {
      status.notSupported(STATUSES);
    }
    var generation = condition.at("observedGeneration");
    if (generation.integer() < 0) {
      generation.invalid(Json.of(generation.integer()), "must be greater than or equal to zero");
    }
    if (condition.at("lastTransitionTime").isEmpty()) {
      condition.at("lastTransitionTime").required("");
    }
    reason(condition.at("reason"));
    maxBytes(MOST_MESSAGE_BYTES).check(condition.at("message"));
  }

  private static void reason(FieldCursor reason) {
    if (reason.isEmpty()) {
      reason.required("");
      return;
    }
    if (!REASON_PATTERN.matcher(reason.text()).matches()) {
      reason.invalid(REASON_RULE);
    }
    if (GoText.bytes(reason.text()) > MOST_REASON_BYTES) {
      reason.tooLong(MOST_REASON_BYTES);
    }
  }
}
