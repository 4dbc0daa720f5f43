package dev.muster.controllers.policies;

import dev.muster.model.json.JsonObject;

/**
 * What is wrong with an expression.
 *
 * @param fieldRef where it stands in the policy
 * @param warning for each kind that it does not fit to, over several lines
 */
record ExpressionWarning(String fieldRef, String warning) {
  JsonObject tree() {
    return JsonObject.of("fieldRef", fieldRef, "warning", warning);
  }
}
