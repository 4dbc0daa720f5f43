package dev.muster.validation.resource;

import dev.muster.model.json.JsonNull;
import dev.muster.model.validation.Names;
import dev.muster.validation.FieldCursor;
import java.util.HashSet;
import java.util.Set;

/**
 * Validates a device's binding conditions, which must be true or false before a pod is bound to its
 * node.
 */
final class BindingConditions {
  private static final int MOST = 4;

  private BindingConditions() {}

  /** Validates both lists of a device, or of an allocated device. */
  static void check(FieldCursor device) {
    var wanted = device.at("bindingConditions");
    var failures = device.at("bindingFailureConditions");
    DeviceLists.list(wanted, MOST, BindingConditions::name);
    DeviceLists.list(failures, MOST, BindingConditions::name);
    unique(wanted, false);
    unique(failures, true);
    if (wanted.isEmpty() && !failures.isEmpty()) {
      wanted.invalid(
          wanted.value() == null ? JsonNull.NULL : wanted.array(),
          "bindingConditions are required to use bindingFailureConditions");
    }
    if (failures.isEmpty() && !wanted.isEmpty()) {
      failures.invalid(
          failures.value() == null ? JsonNull.NULL : failures.array(),
          "bindingFailureConditions are required to use bindingConditions");
    }
  }

  private static void name(FieldCursor condition) {
    condition.invalidEach(Names.qualifiedName(condition.text()));
  }

  private static void unique(FieldCursor conditions, boolean failures) {
    var seen = new HashSet<String>();
    var others =
        failures
            ? new HashSet<>(conditions.parent().at("bindingConditions").array().strings())
            : Set.of();
    for (var condition : conditions.items()) {
      if (!seen.add(condition.text())) {
        condition.duplicate();
      }
      if (others.contains(condition.text())) {
        condition.invalid("bindingFailureConditions must not overlap with bindingConditions");
      }
    }
  }
}
