package dev.muster.registry.body;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.rules.EmptyPlace;
import dev.muster.schema.ListShape;
import dev.muster.schema.MapShape;
import dev.muster.schema.Schemas;
import dev.muster.schema.StructShape;

/**
 * What is empty in the schemas of custom resources and refused though it would be accepted if it
 * were left out: {@code dependencies} anywhere, and at the root, beside a status, whatever is not
 * allowed there.
 */
final class SentSchemas {
  private static final String DEPENDENCIES = "dependencies";
  private static final StructShape PROPS =
      Schemas.struct("io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps");

  private SentSchemas() {}

  static JsonObject kept(JsonObject sent, JsonObject read) {
    var from = sent.object("spec").array("versions");
    var to = read.object("spec").array("versions");
    if (from.size() != to.size()) {
      return read;
    }
    var versions = to;
    for (int i = 0; i < to.size(); i++) {
      var schema = from.object(i).object("schema").get("openAPIV3Schema");
      var known = to.object(i).object("schema").get("openAPIV3Schema");
      if (schema != null && known != null) {
        var kept = dependencies(schema, known);
        if (to.object(i).object("subresources").has("status")) {
          kept = root(schema, kept);
        }
        if (kept != known) {
          versions = versions.with(i, to.object(i).withAt(kept, "schema", "openAPIV3Schema"));
        }
      }
    }
    return versions == to ? read : read.withAt(versions, "spec", "versions");
  }

  private static Json dependencies(Json sent, Json read) {
    return switch (read) {
      case JsonObject object when sent instanceof JsonObject from -> {
        var kept =
            object.mapValues(
                (key, member) -> {
                  var given = from.get(key);
                  return given == null ? member : dependencies(given, member);
                });
        var given = from.get(DEPENDENCIES);
        yield given != null && !object.has(DEPENDENCIES) && EmptyPlace.isEmpty(given)
            ? kept.with(DEPENDENCIES, given)
            : kept;
      }
      case JsonArray list when sent instanceof JsonArray from && from.size() == list.size() -> {
        var kept = list;
        for (int i = 0; i < list.size(); i++) {
          kept = kept.with(i, dependencies(from.get(i), list.get(i)));
        }
        yield kept;
      }
      default -> read;
    };
  }

  private static Json root(Json sent, Json read) {
    if (!(sent instanceof JsonObject from) || !(read instanceof JsonObject object)) {
      return read;
    }
    var kept = object;
    for (int i = 0; i < from.size(); i++) {
      var field = PROPS.field(from.key(i));
      boolean canBeEmpty =
          field != null
              && (field.shape() instanceof ListShape || field.shape() instanceof MapShape);
      if (canBeEmpty && !object.has(from.key(i)) && EmptyPlace.isEmpty(from.value(i))) {
        kept = kept.with(from.key(i), from.value(i));
      }
    }
    return kept;
  }
}
