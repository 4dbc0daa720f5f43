package dev.muster.registry.rules.workloads;

import static dev.muster.registry.rules.Rules.field;
import static dev.muster.registry.rules.Rules.ifSet;
import static dev.muster.registry.rules.Rules.required;

import dev.muster.model.FieldError;
import dev.muster.model.JsonObject;
import dev.muster.registry.rules.Place;
import dev.muster.registry.rules.Rule;
import java.util.List;

/** Binding: which node a pod is assigned to. */
public final class BindingRules {
  private static final Rule RULE =
      field("target", ifSet("kind", BindingRules::isNode), required("name", ""));

  private BindingRules() {}

  private static void isNode(Place kind) {
    if (!kind.isText("Node")) {
      kind.notSupported(List.of("Node", "<empty>"));
    }
  }

  public static void check(JsonObject binding, List<FieldError> errors) {
    RULE.check(Place.of(binding, null, errors));
  }
}
