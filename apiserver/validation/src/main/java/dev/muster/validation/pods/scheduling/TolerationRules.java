package dev.muster.validation.pods.scheduling;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.Names;
import dev.muster.validation.FieldCursor;
import java.util.ArrayList;
import java.util.List;

/** Validates tolerations in pods and other objects. */
public final class TolerationRules {
  private static final List<String> EFFECTS =
      List.of("NoSchedule", "PreferNoSchedule", "NoExecute");

  private TolerationRules() {}

  /** The errors of the tolerations at that path. */
  public static List<FieldError> problems(JsonObject object, String first, String... rest) {
    var errors = new ArrayList<FieldError>();
    check(FieldCursor.of(object, null, errors).at(first, rest));
    return errors;
  }

  public static void check(FieldCursor tolerations) {
    for (var toleration : tolerations.items()) {
      var key = toleration.at("key");
      var operator = toleration.at("operator");
      var effect = toleration.at("effect");
      var value = toleration.at("value");
      if (!key.isEmpty()) {
        key.invalidEach(Names.qualifiedName(key.text()));
      }
      if (key.isEmpty() && !operator.isText("Exists")) {
        operator.invalidTyped(
            "operator must be Exists when `key` is empty, which means \"match all values and all"
                + " keys\"");
      }
      if (toleration.has("tolerationSeconds") && !effect.isText("NoExecute")) {
        effect.invalidTyped("effect must be 'NoExecute' when `tolerationSeconds` is set");
      }
      switch (operator.text()) {
        case "", "Equal" -> {
          var problems = Names.labelValue(value.text());
          if (!problems.isEmpty()) {
            operator.invalid(Json.of(value.text()), String.join(";", problems));
          }
        }
        case "Exists" -> {
          if (!value.isEmpty()) {
            operator.invalid(
                Json.of(value.text()), "value must be empty when `operator` is 'Exists'");
          }
        }
        case "Lt", "Gt" -> operator.notSupported(List.of("Equal", "Exists", "Lt", "Gt"));
        default -> operator.notSupported(List.of("Equal", "Exists"));
      }
      if (!effect.isEmpty() && !EFFECTS.contains(effect.text())) {
        effect.notSupported(EFFECTS);
      }
    }
  }
}
