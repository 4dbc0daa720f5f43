package dev.muster.validation.schema;

import dev.muster.cel.run.Program;
import dev.muster.model.json.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * A compiled validation rule of a schema.
 *
 * @param program null when the rule cannot be evaluated
 * @param problem why it cannot be evaluated, or ""
 * @param text the message or, without one, the expression
 * @param message the error when the rule is violated
 * @param messageProgram the message expression, or null
 * @param fieldPath the field to report, relative to the field with the rule, or ""
 * @param usesOld whether the rule uses the old value
 * @param optionalOld whether it is evaluated without an old value, too
 */
record ResourceRule(
    @Nullable Program program,
    String problem,
    String text,
    String message,
    @Nullable Program messageProgram,
    String messageExpression,
    String reason,
    String fieldPath,
    boolean usesOld,
    boolean optionalOld) {

  static ResourceRule of(
      JsonObject rule, Program program, @Nullable Program messageProgram, boolean usesOld) {
    var message = rule.string("message").strip();
    var text = message.isEmpty() ? rule.string("rule").strip() : message;
    return new ResourceRule(
        program,
        "",
        text,
        message.isEmpty() ? "failed rule: " + text : message,
        messageProgram,
        rule.string("messageExpression"),
        rule.string("reason"),
        normalized(rule.string("fieldPath")),
        usesOld,
        rule.isTrue("optionalOldSelf"));
  }

  /** A rule that refuses every object. */
  static ResourceRule broken(JsonObject rule, String problem) {
    return new ResourceRule(
        null, problem, rule.string("rule").strip(), "", null, "", "", "", false, false);
  }

  /** The path without its leading dot, and with brackets as in error paths. */
  private static String normalized(String path) {
    var plain = path.replace("['", "[").replace("']", "]");
    return plain.startsWith(".") ? plain.substring(1) : plain;
  }
}
