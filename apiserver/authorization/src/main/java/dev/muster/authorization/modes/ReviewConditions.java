package dev.muster.authorization.modes;

import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.muster.cel.Checked;
import dev.muster.cel.ExpressionChecker;
import dev.muster.cel.StructTypes;
import dev.muster.cel.run.Program;
import dev.muster.cel.run.Variables;
import dev.muster.cel.run.cost.CostBudget;
import dev.muster.cel.value.EvaluationException;
import dev.muster.cel.value.JsonValues;
import dev.muster.model.json.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The match conditions of an authorization webhook: CEL expressions over the request. Immutable.
 */
final class ReviewConditions {
  static final ReviewConditions NONE = new ReviewConditions(List.of());

  /** The result of evaluating the conditions. */
  sealed interface Result {
    record Hold() implements Result {}

    record Excluded() implements Result {}

    record Failed(String problem) implements Result {}
  }

  private static final CelType TEXT = SimpleType.STRING;
  private static final CelType TEXTS = ListType.create(SimpleType.STRING);

  /** Loads the CEL checker with the first expression, because that takes time. */
  private static final class Checker {
    static final ExpressionChecker CHECKER =
        ExpressionChecker.of(
            Map.of("request", StructTypes.of("kubernetes.SubjectAccessReviewSpec")),
            new StructTypes(structs(), ""));
  }

  private record Condition(String text, Program program) {}

  private final List<Condition> conditions;

  private ReviewConditions(List<Condition> conditions) {
    this.conditions = List.copyOf(conditions);
  }

  boolean isEmpty() {
    return conditions.isEmpty();
  }

  /** The compile error of an expression; "" for none. */
  static String problem(String expression) {
    return switch (Checker.CHECKER.check(expression)) {
      case Checked.Unsound unsound -> "compilation failed: " + unsound.problem();
      case Checked.Sound sound ->
          sound.celType().equals(SimpleType.BOOL)
              ? ""
              : "must evaluate to bool but got " + sound.type();
    };
  }

  /**
   * @param expressions that compile without errors
   */
  static ReviewConditions of(List<String> expressions) {
    var conditions = new ArrayList<Condition>();
    for (var text : expressions) {
      switch (Checker.CHECKER.check(text)) {
        case Checked.Sound sound -> conditions.add(new Condition(text, program(sound)));
        case Checked.Unsound unsound -> throw new IllegalArgumentException(unsound.problem());
      }
    }
    return new ReviewConditions(conditions);
  }

  private static Program program(Checked.Sound sound) {
    try {
      return Program.of(sound);
    } catch (EvaluationException e) {
      throw new IllegalArgumentException("program instantiation failed: " + e.getMessage());
    }
  }

  /**
   * @param request the value of the variable {@code request}
   */
  Result evaluate(JsonObject request) {
    var value = JsonValues.of(request);
    Variables variables = name -> name.equals("request") ? value : null;
    var problems = new ArrayList<String>();
    for (var condition : conditions) {
      try {
        var result = condition.program().evaluate(variables, CostBudget.standard());
        if (Boolean.FALSE.equals(result)) {
          return new Result.Excluded();
        }
      } catch (EvaluationException e) {
        problems.add(
            "cel evaluation error: expression '%s' resulted in error: %s"
                .formatted(condition.text(), e.getMessage()));
      }
    }
    return switch (problems.size()) {
      case 0 -> new Result.Hold();
      case 1 -> new Result.Failed(problems.getFirst());
      default -> new Result.Failed("[" + String.join(", ", problems) + "]");
    };
  }

  private static Map<String, Map<String, CelType>> structs() {
    var all = new HashMap<String, Map<String, CelType>>();
    all.put(
        "kubernetes.SubjectAccessReviewSpec",
        Map.of(
            "resourceAttributes",
            StructTypes.of("kubernetes.ResourceAttributes"),
            "nonResourceAttributes",
            StructTypes.of("kubernetes.NonResourceAttributes"),
            "user",
            TEXT,
            "groups",
            TEXTS,
            "extra",
            MapType.create(SimpleType.STRING, TEXTS),
            "uid",
            TEXT));
    var resource = new HashMap<String, CelType>();
    for (var field :
        List.of("namespace", "verb", "group", "version", "resource", "subresource", "name")) {
      resource.put(field, TEXT);
    }
    resource.put("fieldSelector", StructTypes.of("kubernetes.FieldSelectorAttributes"));
    resource.put("labelSelector", StructTypes.of("kubernetes.LabelSelectorAttributes"));
    all.put("kubernetes.ResourceAttributes", resource);
    all.put("kubernetes.NonResourceAttributes", Map.of("path", TEXT, "verb", TEXT));
    Map<String, CelType> selector =
        Map.of(
            "rawSelector",
            TEXT,
            "requirements",
            ListType.create(StructTypes.of("kubernetes.SelectorRequirement")));
    all.put("kubernetes.FieldSelectorAttributes", selector);
    all.put("kubernetes.LabelSelectorAttributes", selector);
    all.put(
        "kubernetes.SelectorRequirement", Map.of("key", TEXT, "operator", TEXT, "values", TEXTS));
    return all;
  }
}
