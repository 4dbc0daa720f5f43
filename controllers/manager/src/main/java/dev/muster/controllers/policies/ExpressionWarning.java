package dev.muster.controllers.policies;

import dev.muster.model.json.JsonObject;

/**
 * A type error in an expression of a policy.
 *
 * @param fieldRef the path of the expression in the policy
 * @param warning the errors of all kinds, over several lines
 */
record ExpressionWarning(String fieldRef, String warning) {
  JsonObject tree() {
    return JsonObject.of("fieldRef", fieldRef, "warning", warning);
  }
}
