package dev.muster.validation.pods;

import static dev.muster.validation.Rules.field;
import static dev.muster.validation.Rules.ifSet;
import static dev.muster.validation.Rules.required;

import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.FieldError;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.Rule;
import java.util.List;

/** Validates Bindings, which assign a pod to a node. */
public final class PodBindingRules {
  private static final Rule RULE =
      field("target", ifSet("kind", PodBindingRules::isNode), required("name", ""));

  private PodBindingRules() {}

  private static void isNode(FieldCursor kind) {
    if (!kind.isText("Node")) {
      kind.notSupported(List.of("Node", "<empty>"));
    }
  }

  public static void check(JsonObject binding, List<FieldError> errors) {
    RULE.check(FieldCursor.of(binding, null, errors));
  }
}
