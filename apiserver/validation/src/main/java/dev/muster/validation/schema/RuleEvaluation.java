package dev.muster.validation.schema;

import dev.muster.cel.run.Program;
import dev.muster.cel.run.Variables;
import dev.muster.cel.run.cost.CostBudget;
import dev.muster.cel.value.CelOptional;
import dev.muster.cel.value.EvaluationException;
import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldPath;
import dev.muster.schema.structural.Correlation;
import dev.muster.schema.structural.StructuralSchema;
import dev.muster.types.scheduling.CpuTask;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates the validation rules of an object's schema like kube-apiserver: transition rules
 * compare with the old value, violations in unchanged values only warn, and all rules share one
 * cost budget. For one object, on one thread.
 */
public final class RuleEvaluation {
  /** The cost budget for the rules of one request. */
  public static final long PER_REQUEST = 10_000_000;

  private static final int LONGEST_MESSAGE = 5 * 1024;
  private static final String EXHAUSTED =
      "validation failed due to running out of cost budget, no further validation rules will be"
          + " run";

  /** Ends the evaluation of all rules; the error is already reported. */
  private static final class StoppedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    StoppedException() {
      super(null, null, false, false);
    }
  }

  /**
   * The position of a value in an update.
   *
   * @param current the correlation with the old value, or null when there is none
   * @param parent the nearest correlated value that contains it
   */
  private record Ratchet(@Nullable Correlation current, @Nullable Correlation parent) {
    static final Ratchet NONE = new Ratchet(null, null);

    boolean isSame() {
      var compared = current == null ? parent : current;
      return compared != null && compared.isSame();
    }

    Ratchet member(String name) {
      if (current == null) {
        return this;
      }
      boolean typeField = parent == null && (name.equals("apiVersion") || name.equals("kind"));
      return typeField ? NONE : new Ratchet(current.member(name), current);
    }

    Ratchet item(int index) {
      return current == null ? this : new Ratchet(current.item(index), current);
    }
  }

  private final List<FieldError> errors = new ArrayList<>();
  private final Consumer<String> warnings;
  private final CostBudget budget = CostBudget.standard();
  private long left;

  private RuleEvaluation(Consumer<String> warnings, long left) {
    this.warnings = warnings;
    this.left = left;
  }

  /**
   * The result of all rules.
   *
   * @param left the remaining budget; negative when the evaluation was stopped
   */
  public record Outcome(List<FieldError> errors, long left) {}

  /**
   * Evaluates the rules for an object.
   *
   * @param old the old object, or null for a create
   * @param warnings receives violations in unchanged values
   */
  public static List<FieldError> check(
      JsonObject object,
      @Nullable JsonObject old,
      SchemaRuleTree rules,
      Consumer<String> warnings) {
    var ratchet =
        old == null ? Ratchet.NONE : new Ratchet(Correlation.of(object, old, rules.schema()), null);
    return new RuleEvaluation(warnings, PER_REQUEST)
        .outcome(FieldPath.ROOT, object, old, rules, ratchet)
        .errors();
  }

  /**
   * Evaluates the rules for a value, whether it has changed or not.
   *
   * @param old the old value, or null when it is new
   * @param budget the cost budget for all rules
   */
  public static Outcome check(
      FieldPath place, Json value, @Nullable Json old, SchemaRuleTree rules, long budget) {
    return new RuleEvaluation(warning -> {}, budget)
        .outcome(place, value, old, rules, Ratchet.NONE);
  }

  private Outcome outcome(
      FieldPath place, Json value, @Nullable Json old, SchemaRuleTree rules, Ratchet ratchet) {
    try {
      check(place, value, old, rules, ratchet);
      return new Outcome(errors, left);
    } catch (StoppedException e) {
      return new Outcome(errors, -1);
    }
  }

  private void check(
      FieldPath place, Json value, @Nullable Json old, SchemaRuleTree rules, Ratchet ratchet) {
    if (value == JsonNull.NULL) {
      return;
    }
    var before = old == JsonNull.NULL ? null : old;
    if (!rules.rules().isEmpty()) {
      evaluate(place, value, before, rules, ratchet);
    }
    for (var part : rules.allOf()) {
      check(place, value, before, part, new Ratchet(null, ratchet.parent()));
    }
    switch (value) {
      case JsonObject object -> members(place, object, before, rules, ratchet);
      case JsonArray list -> items(place, list, before, rules, ratchet);
      default -> {}
    }
  }

  private void members(
      FieldPath place,
      JsonObject object,
      @Nullable Json old,
      SchemaRuleTree rules,
      Ratchet ratchet) {
    for (int i = 0; i < object.size(); i++) {
      var name = object.key(i);
      var before = old instanceof JsonObject was ? was.get(name) : null;
      var property = rules.properties().get(name);
      if (property != null) {
        check(place.child(name), object.value(i), before, property, ratchet.member(name));
      } else if (rules.additional() != null && !rules.schema().properties().containsKey(name)) {
        check(place.key(name), object.value(i), before, rules.additional(), ratchet.member(name));
      }
    }
  }

  private void items(
      FieldPath place, JsonArray list, @Nullable Json old, SchemaRuleTree rules, Ratchet ratchet) {
    if (rules.items() == null) {
      return;
    }
    var known = old == null ? null : Correlation.of(list, old, rules.schema());
    for (int i = 0; i < list.size(); i++) {
      var item = known == null ? null : known.item(i);
      check(
          place.index(i),
          list.get(i),
          item == null ? null : item.old(),
          rules.items(),
          ratchet.item(i));
    }
  }

  private void evaluate(
      FieldPath place, Json value, @Nullable Json old, SchemaRuleTree rules, Ratchet ratchet) {
    var schema = rules.schema();
    var self = lazily(value, rules);
    var before = old == null ? null : lazily(old, rules);
    for (var rule : rules.rules()) {
      CpuTask.checkpoint();
      if (left <= 0) {
        stop(place, schema, EXHAUSTED);
      }
      var program = rule.program();
      if (program == null) {
        errors.add(FieldError.invalid(place, Json.of(schema.type()), rule.problem()));
        continue;
      }
      if (rule.usesOld() && before == null && !rule.optionalOld()) {
        continue;
      }
      var variables = variables(self, before, rule.optionalOld());
      try {
        var holds = program.evaluate(variables, budget);
        spend(place, schema);
        if (!Boolean.TRUE.equals(holds)) {
          broken(place, value, schema, rule, variables, ratchet);
        }
      } catch (CostBudget.ExceededException e) {
        spend(place, schema);
        stop(
            place,
            schema,
            "'"
                + e.getMessage()
                + "': no further validation rules will be run due to call cost exceeds limit for"
                + " rule: "
                + rule.text());
      } catch (EvaluationException e) {
        spend(place, schema);
        errors.add(FieldError.invalid(place, Json.of(schema.type()), failed(rule, e)));
      }
    }
  }

  /** Converts a value when a rule first uses it. */
  private interface Lazy {
    Object value();
  }

  private static Lazy lazily(Json value, SchemaRuleTree rules) {
    return () ->
        rules.resource()
            ? SchemaValues.resource(value, rules.schema())
            : SchemaValues.of(value, rules.schema());
  }

  private static Variables variables(Lazy self, @Nullable Lazy old, boolean optional) {
    return name ->
        switch (name) {
          case "self" -> self.value();
          case "oldSelf" -> {
            if (optional) {
              yield old == null ? CelOptional.NONE : new CelOptional(old.value());
            }
            yield old == null ? null : old.value();
          }
          default -> null;
        };
  }

  private static String failed(ResourceRule rule, EvaluationException e) {
    var message = String.valueOf(e.getMessage());
    return message.startsWith("no such overload")
        ? "'"
            + message
            + "': call arguments did not match a supported operator, function or macro signature"
            + " for rule: "
            + rule.text()
        : message + " evaluating rule: " + rule.text();
  }

  private void spend(FieldPath place, StructuralSchema schema) {
    left -= budget.take();
    if (left < 0) {
      stop(place, schema, EXHAUSTED);
    }
  }

  private void stop(FieldPath place, StructuralSchema schema, String problem) {
    errors.add(FieldError.invalid(place, Json.of(schema.type()), problem));
    throw new StoppedException();
  }

  private void broken(
      FieldPath place,
      Json value,
      StructuralSchema schema,
      ResourceRule rule,
      Variables variables,
      Ratchet ratchet) {
    var at = rule.fieldPath().isEmpty() ? place : place.child(rule.fieldPath());
    var made = rule.messageProgram() == null ? null : message(at, schema, rule, variables);
    var detail = made == null ? rule.message() : made;
    boolean shown = !schema.type().equals("object") && !schema.type().equals("array");
    var error =
        switch (rule.reason()) {
          case "FieldValueForbidden" -> FieldError.forbidden(at, detail);
          case "FieldValueRequired" -> FieldError.required(at, detail);
          case "FieldValueDuplicate" ->
              shown
                  ? FieldError.duplicate(at, value)
                  : new FieldError(FieldError.Type.DUPLICATE, at.text(), "Duplicate value");
          default -> shown ? FieldError.invalid(at, value, detail) : FieldError.invalid(at, detail);
        };
    if (!rule.usesOld() && ratchet.isSame()) {
      warnings.accept(error.path() + ": " + error.body());
    } else {
      errors.add(error);
    }
  }

  /** The result of the message expression, or null when it has none that can be shown. */
  private @Nullable String message(
      FieldPath place, StructuralSchema schema, ResourceRule rule, Variables variables) {
    try {
      var made = evaluated(rule.messageProgram(), variables);
      left -= budget.take();
      if (left < 0) {
        stop(
            place,
            schema,
            "messageExpression evaluation failed due to running out of cost budget, no further"
                + " validation rules will be run");
      }
      var text = made instanceof String string ? string.strip() : "";
      boolean fits =
          !text.isEmpty() && GoText.bytes(text) <= LONGEST_MESSAGE && text.indexOf('\n') < 0;
      return fits ? text : null;
    } catch (CostBudget.ExceededException e) {
      stop(
          place,
          schema,
          "no further validation rules will be run due to call cost exceeds limit for"
              + " messageExpression: "
              + GoText.quote(rule.messageExpression()));
      return null;
    } catch (EvaluationException e) {
      left -= budget.take();
      return null;
    }
  }

  private @Nullable Object evaluated(@Nullable Program program, Variables variables) {
    return program == null ? null : program.evaluate(variables, budget);
  }
}
