package dev.muster.validation.schema;

import dev.muster.cel.run.Program;
import dev.muster.model.json.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * A rule of a schema, ready to be evaluated.
 *
 * @param program null when the rule cannot be evaluated
 * @param problem why it cannot, or ""
 * @param text the expression or, where there is one, the message that stands for it
 * @param message what is said when the rule does not hold
 * @param messageProgram makes a message, or null
 * @param fieldPath the field that is to blame, below the one that has the rule, or ""
 * @param usesOld whether it looks at the value as it was
 * @param optionalOld whether it is evaluated though there was no value
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

  /** A rule that no object keeps. */
  static ResourceRule broken(JsonObject rule, String problem) {
    return new ResourceRule(
        null, problem, rule.string("rule").strip(), "", null, "", "", "", false, false);
  }

  /** Without the dot in front, and names in brackets as paths of messages have them. */
  private static String normalized(String path) {
    var plain = path.replace("['", "[").replace("']", "]");
    return plain.startsWith(".") ? plain.substring(1) : plain;
  }
}
