package dev.muster.validation.resource;

import dev.muster.model.validation.Names;
import dev.muster.validation.FieldCursor;
import java.util.List;

/** Validates device taints and tolerations. */
final class Taints {
  private static final List<String> EFFECTS = List.of("NoExecute", "NoSchedule", "None");
  private static final List<String> OPERATORS = List.of("Equal", "Exists");

  private Taints() {}

  static void taint(FieldCursor taint) {
    var key = taint.at("key");
    key.invalidEach(Names.qualifiedName(key.text()));
    var value = taint.at("value");
    value.invalidEach(Names.labelValue(value.text()));
    var effect = taint.at("effect");
    if (effect.isEmpty()) {
      effect.required("");
    } else if (!EFFECTS.contains(effect.text())) {
      effect.notSupported(EFFECTS);
    }
  }

  static void toleration(FieldCursor toleration) {
    var key = toleration.at("key");
    if (!key.isEmpty()) {
      key.invalidEach(Names.qualifiedName(key.text()));
    }
    var operator = toleration.at("operator");
    var value = toleration.at("value");
    switch (operator.text()) {
      case "Exists" -> {
        if (!value.isEmpty()) {
          value.invalid("must be empty for operator `Exists`");
        }
      }
      case "Equal" -> value.invalidEach(Names.labelValue(value.text()));
      case "" -> operator.required("");
      default -> operator.notSupported(OPERATORS);
    }
    var effect = toleration.at("effect");
    if (!effect.isEmpty() && !EFFECTS.contains(effect.text())) {
      effect.notSupported(EFFECTS);
    }
  }
}
