package dev.muster.validation.apis;

import dev.cel.common.types.CelType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import dev.muster.cel.Checked;
import dev.muster.cel.CostEstimate;
import dev.muster.cel.CostRange;
import dev.muster.cel.ExpressionChecker;
import dev.muster.cel.SizedType;
import dev.muster.model.json.JsonInteger;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldPath;
import dev.muster.types.scheduling.CpuTask;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.schema.SchemaTypes;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Validates the expressions in a schema that has no other errors. */
final class SchemaExpressions {
  static final String RULES = "x-kubernetes-validations";
  private static final long UNBOUNDED = -1;

  private final SchemaCosts costs;

  /** The schemas with rules, and the schemas that contain them; compared by identity. */
  private final Set<JsonObject> ruled;

  /** The other errors of the schema. */
  private final List<FieldError> problems;

  private SchemaExpressions(SchemaCosts costs, Set<JsonObject> ruled, List<FieldError> problems) {
    this.costs = costs;
    this.ruled = ruled;
    this.problems = problems;
  }

  /**
   * Validates all expressions of a schema, inner ones first, and their total cost. Parts of the
   * schema with other errors are skipped.
   */
  static void check(FieldCursor schema, List<FieldError> problems) {
    var ruled = ruled(schema.object());
    if (!ruled.isEmpty()) {
      boolean stays = schema.isUpdate() && !schema.isChanged();
      var expressions = new SchemaExpressions(new SchemaCosts(!stays), ruled, problems);
      expressions.check(schema, true, null, 1);
      expressions.costs.report(schema);
    }
  }

  private static Set<JsonObject> ruled(JsonObject schema) {
    var found = Collections.<JsonObject>newSetFromMap(new IdentityHashMap<>());
    for (var part : SchemaTree.notSimple(schema).reversed()) {
      if (!part.array(RULES).isEmpty()
          || SchemaTree.children(part).stream().anyMatch(found::contains)) {
        found.add(part);
      }
    }
    return found;
  }

  /**
   * @param lost the path below which values cannot be correlated with the old object, or null
   * @param count the maximum number of values at this field, or {@link #UNBOUNDED}
   */
  private void check(FieldCursor schema, boolean resource, @Nullable FieldPath lost, long count) {
    if (!ruled.contains(schema.object())) {
      return;
    }
    long below = count == UNBOUNDED ? count : inside(schema, count);
    var values = schema.at("additionalProperties");
    if (SchemaTree.isSchema(values)) {
      check(values, isEmbedded(values), lost, below);
    }
    var map = schema.at("x-kubernetes-map-type");
    var inside = lost == null && map.isPresent() && !map.isText("granular") ? schema.path() : lost;
    for (var property : schema.at("properties").entries()) {
      check(property, isEmbedded(property), inside, below);
    }
    var items = schema.at("items");
    if (SchemaTree.isSchema(items)) {
      boolean kept = schema.at("x-kubernetes-list-type").isText("map");
      check(items, isEmbedded(items), lost == null && !kept ? schema.path() : lost, below);
    }
    if (!schema.at(RULES).isEmpty() && isSound(schema.path().toString())) {
      rules(schema, resource, lost, count);
    }
  }

  private boolean isSound(String path) {
    for (var problem : problems) {
      var at = problem.path().toString();
      if (at.startsWith(path)
          && (at.length() == path.length() || ".[".indexOf(at.charAt(path.length())) >= 0)) {
        return false;
      }
    }
    return true;
  }

  /** The maximum number of values inside that many lists, maps or structs. */
  private static long inside(FieldCursor schema, long count) {
    boolean list = schema.at("type").isText("array");
    boolean map = schema.at("type").isText("object") && schema.has("additionalProperties");
    if (!list && !map) {
      return count;
    }
    return schema.at(list ? "maxItems" : "maxProperties").value() instanceof JsonInteger most
        ? CostRange.product(count, Math.max(most.value(), 0))
        : UNBOUNDED;
  }

  private static boolean isEmbedded(FieldCursor schema) {
    return schema.at("x-kubernetes-embedded-resource").isTrue();
  }

  private void rules(FieldCursor schema, boolean resource, @Nullable FieldPath lost, long count) {
    var types = new SchemaTypes();
    var self = types.of(schema.object(), resource);
    if (self == null) {
      schema.report(
          FieldError.internal(
              schema.at(RULES).path(),
              "internal error: failed to construct type information for x-kubernetes-validations"
                  + " rules: unable to convert structural schema to CEL declarations"));
      return;
    }
    long times = count == UNBOUNDED ? self.mostInRequest() : count;
    var structs = types.structs();
    for (var rule : schema.at(RULES).items()) {
      boolean optional = rule.at("optionalOldSelf").isTrue();
      var old = optional ? OptionalType.create(self.type()) : self.type();
      var checker =
          ExpressionChecker.of(
              Map.<String, CelType>of("self", self.type(), "oldSelf", old), structs);
      boolean usesOld = rule(rule, checker, self.size(), times);
      if (usesOld && lost != null) {
        rule.at("rule")
            .invalid(
                "oldSelf cannot be used on the uncorrelatable portion of the schema within "
                    + lost);
      } else if (!usesOld && rule.has("optionalOldSelf")) {
        rule.at("optionalOldSelf").invalid("may not be set if oldSelf is not used in rule");
      }
    }
  }

  /** Validates a rule; returns whether it uses the old value. */
  private boolean rule(FieldCursor rule, ExpressionChecker checker, SizedType sizes, long times) {
    CpuTask.checkpoint();
    switch (checker.check(rule.at("rule").text())) {
      case Checked.Unsound unsound -> {
        rule.at("rule").invalid(shown(rule), "compilation failed: " + unsound.problem());
        return false;
      }
      case Checked.Sound sound -> {
        if (!sound.celType().equals(SimpleType.BOOL)) {
          rule.at("rule").invalid(shown(rule), "cel expression must evaluate to a bool");
          return false;
        }
        var unplanned = sound.unplanned(rule.at("rule").text());
        if (!unplanned.isEmpty()) {
          rule.at("rule").invalid(shown(rule), "program instantiation failed: " + unplanned);
          return false;
        }
        long cost = CostRange.product(CostEstimate.most(sound, sizes), times);
        costs.add(rule.at("rule"), "estimated rule cost", cost);
        message(rule, checker, sizes);
        return sound.refersTo("oldSelf");
      }
    }
  }

  private void message(FieldCursor rule, ExpressionChecker checker, SizedType sizes) {
    var message = rule.at("messageExpression");
    if (message.isEmpty()) {
      return;
    }
    switch (checker.check(message.text())) {
      case Checked.Unsound unsound ->
          message.invalid(
              shown(rule), "messageExpression compilation failed: " + unsound.problem());
      case Checked.Sound sound -> {
        if (!sound.celType().equals(SimpleType.STRING)) {
          message.invalid(shown(rule), "messageExpression must evaluate to a string");
          return;
        }
        var unplanned = sound.unplanned(message.text());
        if (!unplanned.isEmpty()) {
          message.invalid(shown(rule), "messageExpression instantiation failed: " + unplanned);
        } else {
          costs.add(message, "estimated messageExpression cost", CostEstimate.most(sound, sizes));
        }
      }
    }
  }

  /** A rule in kube-apiserver's form. */
  private static JsonObject shown(FieldCursor rule) {
    var reason = rule.at("reason").value();
    var optional = rule.at("optionalOldSelf").value();
    return JsonObject.builder()
        .put("Rule", rule.at("rule").text())
        .put("Message", rule.at("message").text())
        .put("MessageExpression", rule.at("messageExpression").text())
        .put("Reason", reason == null ? JsonNull.NULL : reason)
        .put("FieldPath", rule.at("fieldPath").text())
        .put("OptionalOldSelf", optional == null ? JsonNull.NULL : optional)
        .build();
  }
}
