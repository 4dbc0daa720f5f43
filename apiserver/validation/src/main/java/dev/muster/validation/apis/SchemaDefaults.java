package dev.muster.validation.apis;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonBool;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldPath;
import dev.muster.schema.structural.Pruning;
import dev.muster.schema.structural.SchemaValidation;
import dev.muster.schema.structural.StructuralSchema;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.schema.EmbeddedObjects;
import dev.muster.validation.schema.RuleEvaluation;
import dev.muster.validation.schema.SchemaRuleTree;
import java.util.ArrayList;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Validates the defaults in a schema against the schema and its rules; only structural schemas are
 * checked. For one schema, on one thread.
 */
final class SchemaDefaults {
  private static final String EMBEDDED = "x-kubernetes-embedded-resource";
  private static final Set<String> META = Set.of("metadata", "apiVersion", "kind");

  /** The remaining cost budget for the rules of all defaults. */
  private long left = RuleEvaluation.PER_REQUEST;

  private SchemaDefaults() {}

  /**
   * The object that contains a value.
   *
   * @param schema the schema of the object
   * @param around builds an object with the value at its place
   */
  private record Surrounding(JsonObject schema, UnaryOperator<Json> around) {
    static Surrounding of(JsonObject schema) {
      return new Surrounding(schema, Surrounding::typed);
    }

    private static Json typed(Json value) {
      if (!(value instanceof JsonObject object)) {
        return value;
      }
      var kind = object.has("kind") ? object : object.with("kind", "Validation");
      return kind.has("apiVersion") ? kind : kind.with("apiVersion", "validation/v1");
    }

    Surrounding member(String name) {
      return new Surrounding(schema, value -> around.apply(JsonObject.of(name, value)));
    }

    Surrounding item() {
      return new Surrounding(schema, value -> around.apply(JsonArray.of(value)));
    }
  }

  /** Validates all defaults of a resource's schema. */
  static void check(FieldCursor schema) {
    if (SchemaTree.any(schema.object(), part -> SchemaTree.isSet(part, "default"))) {
      var root = schema.object().with(EMBEDDED, JsonBool.TRUE);
      new SchemaDefaults().check(schema, root, Surrounding.of(root), false);
    }
  }

  /**
   * @param content the schema at that field; the root describes a whole object
   * @param meta whether the schema describes an object's metadata
   */
  private void check(FieldCursor schema, JsonObject content, Surrounding within, boolean meta) {
    boolean resource = content.isTrue(EMBEDDED);
    var object = resource ? Surrounding.of(content) : within;
    boolean inside = meta && !resource;
    var value = schema.at("default").value();
    if (value != null && value != JsonNull.NULL) {
      value(schema.at("default"), value, content, inside ? object : null);
    }
    var items = schema.at("items");
    if (left >= 0 && SchemaTree.isSchema(items)) {
      check(items, items.object(), object.item(), inside);
    }
    for (var property : schema.at("properties").entries()) {
      if (left < 0) {
        return;
      }
      boolean inMeta = inside || (resource && META.contains(property.name()));
      check(property, property.object(), object.member(property.name()), inMeta);
    }
  }

  /**
   * @param meta the object whose metadata contains the value, or null
   */
  private void value(FieldCursor place, Json value, JsonObject schema, @Nullable Surrounding meta) {
    var structure = StructuralSchema.of(schema);
    boolean resource = structure.isEmbedded();
    if (meta == null && Pruning.hasUnknown(value, structure, resource)) {
      place.invalid("must not have unknown fields");
    }
    boolean sound =
        meta == null
            ? objects(place, value, structure)
            : metadata(place, meta.around().apply(value), meta.schema());
    if (!sound) {
      return;
    }
    var problems = SchemaValidation.create(value, structure, place.path());
    problems.forEach(place::report);
    if (problems.isEmpty()) {
      rules(place, value, schema, resource);
    }
  }

  /** Whether embedded objects in the value are readable and have apiVersion and kind. */
  private static boolean objects(FieldCursor place, Json value, StructuralSchema schema) {
    var malformed = EmbeddedObjects.malformed(value, schema, place.path());
    if (malformed != null) {
      place.report(malformed);
      return false;
    }
    var errors = new ArrayList<FieldError>();
    EmbeddedObjects.check(value, schema, place.path(), errors);
    errors.forEach(place::report);
    return errors.isEmpty();
  }

  /** Whether an object with only this value in its metadata is valid. */
  private static boolean metadata(FieldCursor place, Json object, JsonObject schema) {
    var structure = StructuralSchema.of(schema);
    var errors = new ArrayList<FieldError>();
    var malformed = EmbeddedObjects.malformed(object, structure, FieldPath.ROOT);
    if (malformed == null) {
      EmbeddedObjects.check(object, structure, FieldPath.ROOT, errors);
    } else {
      errors.add(malformed);
    }
    if (!errors.isEmpty()) {
      place.invalid("must result in valid metadata: " + FieldError.join(errors));
    }
    return errors.isEmpty();
  }

  /** Evaluates the rules for a default both as a new value and as an unchanged one. */
  private void rules(FieldCursor place, Json value, JsonObject schema, boolean resource) {
    if (!SchemaTree.any(schema, part -> !part.array(SchemaExpressions.RULES).isEmpty())) {
      return;
    }
    var rules = SchemaRuleTree.of(schema, resource);
    if (rules == null) {
      return;
    }
    var kept = RuleEvaluation.check(place.path(), value, value, rules, left);
    kept.errors().forEach(place::report);
    long after = kept.left();
    if (kept.errors().isEmpty()) {
      var added = RuleEvaluation.check(place.path(), value, null, rules, left);
      added.errors().forEach(place::report);
      after = Math.min(after, added.left());
    }
    left = after;
  }
}
