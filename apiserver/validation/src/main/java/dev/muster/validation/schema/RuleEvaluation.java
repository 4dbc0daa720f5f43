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
 * Holds an object against the rules of its schema, as kube-apiserver does: rules about changes look
 * at the value that was there, what an update leaves as it was only warns, and all rules together
 * have one budget. For one object and one thread.
 */
public final class RuleEvaluation {
  /** What the rules of one request may cost together. */
  public static final long PER_REQUEST = 10_000_000;

  private static final int LONGEST_MESSAGE = 5 * 1024;
  private static final String EXHAUSTED =
      "validation failed due to running out of cost budget, no further validation rules will be"
          + " run";

  /** Ends the evaluation of all rules; what went wrong was reported. */
  private static final class StoppedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    StoppedException() {
      super(null, null, false, false);
    }
  }

  /**
   * Where a value stands in an update.
   *
   * @param current with what it was, or null when nothing can be compared
   * @param parent the closest part around it that can
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
   * What came of all rules.
   *
   * @param left what others may still spend; less than nothing when the evaluation was stopped
   */
  public record Outcome(List<FieldError> errors, long left) {}

  /**
   * What is wrong with an object.
   *
   * @param old as it was, or null when it is new
   * @param warnings told of rules that do not hold where nothing was changed
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
   * What is wrong with a value wherever it stands, unchanged or not.
   *
   * @param old as it was, or null when it is new
   * @param budget what the rules may cost together
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

  /** Looks at a value when a rule does. */
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

  /** The message that the rule's expression makes, or null when it makes none that can be shown. */
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
