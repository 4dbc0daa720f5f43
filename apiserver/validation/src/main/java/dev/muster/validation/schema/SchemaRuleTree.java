package dev.muster.validation.schema;

import dev.cel.common.types.CelType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import dev.muster.cel.Checked;
import dev.muster.cel.ExpressionChecker;
import dev.muster.cel.run.Program;
import dev.muster.cel.value.EvaluationException;
import dev.muster.model.json.JsonObject;
import dev.muster.schema.structural.StructuralSchema;
import dev.muster.types.scheduling.CpuTask;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The validation rules of a schema and of the parts that have rules. Immutable.
 *
 * @param properties the parts by name, in the order of the schema
 */
public record SchemaRuleTree(
    StructuralSchema schema,
    boolean resource,
    List<ResourceRule> rules,
    Map<String, SchemaRuleTree> properties,
    @Nullable SchemaRuleTree additional,
    @Nullable SchemaRuleTree items,
    List<SchemaRuleTree> allOf) {

  /** The rules of a resource's schema, or null when it has none. */
  public static @Nullable SchemaRuleTree of(JsonObject schema) {
    return of(schema, true);
  }

  /**
   * The rules of a schema, or null when it has none.
   *
   * @param resource whether the schema describes a whole object
   */
  public static @Nullable SchemaRuleTree of(JsonObject schema, boolean resource) {
    return of(schema, schema, resource);
  }

  /**
   * @param validated the schema that contains the rules: {@code node} itself, or a part of its
   *     {@code allOf}
   */
  private static @Nullable SchemaRuleTree of(
      JsonObject validated, JsonObject node, boolean resource) {
    var types = new SchemaTypes();
    var self = types.of(node, resource);
    var sent = validated.array("x-kubernetes-validations").objects();
    if (self == null) {
      return sent.isEmpty() ? null : unseen(sent.getFirst(), node, resource);
    }
    var rules = new ArrayList<ResourceRule>();
    for (var rule : sent) {
      if (!rule.string("rule").isBlank()) {
        CpuTask.checkpoint();
        rules.add(compiled(rule, self.type(), types));
      }
    }
    var properties = new LinkedHashMap<String, SchemaRuleTree>();
    var parts = validated.object("properties");
    for (int i = 0; i < parts.size(); i++) {
      var name = parts.key(i);
      if (parts.value(i) instanceof JsonObject part
          && node.object("properties").get(name) instanceof JsonObject known) {
        var found = of(part, known, isEmbedded(known));
        if (found != null) {
          properties.put(name, found);
        }
      }
    }
    var additional = child(validated, node, "additionalProperties");
    var items = items(validated, node);
    var allOf = new ArrayList<SchemaRuleTree>();
    for (var part : validated.array("allOf").objects()) {
      var found = of(part, node, resource);
      if (found != null) {
        allOf.add(found);
      }
    }
    boolean any =
        !rules.isEmpty()
            || !properties.isEmpty()
            || additional != null
            || items != null
            || !allOf.isEmpty();
    return any
        ? new SchemaRuleTree(
            StructuralSchema.of(node), resource, rules, properties, additional, items, allOf)
        : null;
  }

  private static @Nullable SchemaRuleTree child(
      JsonObject validated, JsonObject node, String name) {
    return validated.get(name) instanceof JsonObject part
            && node.get(name) instanceof JsonObject known
        ? of(part, known, isEmbedded(known))
        : null;
  }

  /** A schema of another type than array has no items for expressions. */
  private static @Nullable SchemaRuleTree items(JsonObject validated, JsonObject node) {
    if (node.string("type").equals("array")) {
      return child(validated, node, "items");
    }
    var rules = validated.object("items").array("x-kubernetes-validations").objects();
    return rules.isEmpty() ? null : unseen(rules.getFirst(), node.object("items"), false);
  }

  private static boolean isEmbedded(JsonObject schema) {
    return schema.isTrue("x-kubernetes-embedded-resource");
  }

  /** Values that expressions cannot access. */
  private static SchemaRuleTree unseen(JsonObject rule, JsonObject node, boolean resource) {
    var broken =
        ResourceRule.broken(
            rule,
            "rule compiler initialization error: failed to convert to declType for CEL validation"
                + " rules");
    return new SchemaRuleTree(
        StructuralSchema.of(node), resource, List.of(broken), Map.of(), null, null, List.of());
  }

  /**
   * Compiles a rule. The server refuses invalid rules when a definition is written. An invalid rule
   * that was stored by a server with more functions refuses every object.
   */
  private static ResourceRule compiled(JsonObject rule, CelType self, SchemaTypes types) {
    var old = rule.isTrue("optionalOldSelf") ? OptionalType.create(self) : self;
    var checker =
        ExpressionChecker.of(
            Map.<String, CelType>of("self", self, "oldSelf", old), types.structs());
    switch (checker.check(rule.string("rule"))) {
      case Checked.Unsound unsound -> {
        return ResourceRule.broken(
            rule, "rule compile error: compilation failed: " + unsound.problem());
      }
      case Checked.Sound sound -> {
        return compiled(rule, sound, checker);
      }
    }
  }

  private static ResourceRule compiled(
      JsonObject rule, Checked.Sound sound, ExpressionChecker checker) {
    if (!sound.celType().equals(SimpleType.BOOL)) {
      return ResourceRule.broken(
          rule, "rule compile error: cel expression must evaluate to a bool");
    }
    var unplanned = sound.unplanned(rule.string("rule"));
    if (!unplanned.isEmpty()) {
      return ResourceRule.broken(
          rule, "rule compile error: program instantiation failed: " + unplanned);
    }
    var message = rule.string("messageExpression");
    var messageProgram =
        !message.isEmpty() && checker.check(message) instanceof Checked.Sound made
            ? messageProgram(made)
            : null;
    try {
      return ResourceRule.of(rule, Program.of(sound), messageProgram, sound.refersTo("oldSelf"));
    } catch (EvaluationException e) {
      return ResourceRule.broken(
          rule, "rule compile error: program instantiation failed: " + e.getMessage());
    }
  }

  /** Null when one of its constants has an invalid value; the rule then uses another message. */
  private static @Nullable Program messageProgram(Checked.Sound made) {
    try {
      return Program.of(made);
    } catch (EvaluationException e) {
      return null;
    }
  }
}
