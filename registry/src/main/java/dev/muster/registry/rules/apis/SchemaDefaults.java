package dev.muster.registry.rules.apis;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.MetadataRules;
import dev.muster.model.validation.NameRule;
import dev.muster.model.validation.Names;
import dev.muster.registry.rules.FieldCursor;
import dev.muster.registry.rules.Rules;
import dev.muster.schema.structural.Pruning;
import dev.muster.schema.structural.SchemaValidation;
import dev.muster.schema.structural.StructuralSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Values that a schema fills in are held against it; only structural schemas are looked at. */
final class SchemaDefaults {
  private static final Set<String> META = Set.of("metadata", "apiVersion", "kind");

  private SchemaDefaults() {}

  /** All defaults of a resource's schema. */
  static void check(FieldCursor schema) {
    if (SchemaTree.any(schema.object(), part -> SchemaTree.isSet(part, "default"))) {
      check(schema, true, false);
    }
  }

  private static void check(FieldCursor schema, boolean resource, boolean meta) {
    var value = schema.at("default").value();
    if (value != null && value != JsonNull.NULL) {
      value(schema, value, resource, meta);
    }
    var items = schema.at("items");
    if (SchemaTree.isSchema(items)) {
      check(items, isEmbedded(items), meta && !isEmbedded(items));
    }
    for (var property : schema.at("properties").entries()) {
      boolean inMeta = meta || (resource && META.contains(property.name()));
      check(property, isEmbedded(property), inMeta && !isEmbedded(property));
    }
  }

  private static boolean isEmbedded(FieldCursor schema) {
    return schema.at("x-kubernetes-embedded-resource").isTrue();
  }

  private static void value(FieldCursor schema, Json value, boolean resource, boolean meta) {
    var place = schema.at("default");
    var structure = StructuralSchema.of(schema.object());
    if (!meta && Pruning.hasUnknown(value, structure, resource)) {
      place.invalid("must not have unknown fields");
    }
    if (!meta && resource && value instanceof JsonObject object && !identity(place, object)) {
      return;
    }
    SchemaValidation.create(value, structure, place.path()).forEach(place::report);
  }

  /** Whether an object says what it is. */
  private static boolean identity(FieldCursor place, JsonObject object) {
    var errors = new ArrayList<FieldError>();
    var collecting = place.collectingInto(errors);
    for (var field : List.of("apiVersion", "kind")) {
      var at = collecting.at(field);
      if (!object.has(field)) {
        at.required("");
      } else if (!(object.get(field) instanceof JsonString)) {
        at.invalid("must be a string");
      } else if (at.text().isEmpty()) {
        at.invalid("must not be empty");
      }
    }
    var kind = collecting.at("kind");
    if (errors.isEmpty()) {
      DefinitionNames.joined(
          kind,
          "may have mixed case, but should otherwise match: ",
          Names.dns1035Label(kind.text().toLowerCase(Locale.ROOT)));
    }
    if (object.get("metadata") instanceof JsonObject metadata) {
      var named = metadata.string("name").isEmpty() ? metadata.with("name", "fakename") : metadata;
      Rules.report(
          collecting,
          found ->
              MetadataRules.create(
                  named,
                  !metadata.string("namespace").isEmpty(),
                  NameRule.PATH_SEGMENT,
                  place.path().child("metadata"),
                  found));
    }
    errors.forEach(place::report);
    return errors.isEmpty();
  }
}
