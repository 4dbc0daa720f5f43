package dev.muster.openapi;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;

/** Where the two versions of OpenAPI differ. */
enum Dialect {
  V2("#/definitions/"),
  V3("#/components/schemas/");

  private final String definitions;

  Dialect(String definitions) {
    this.definitions = definitions;
  }

  /** A reference that stands alone. */
  JsonObject reference(String definition) {
    return JsonObject.of("$ref", definitions + definition);
  }

  /** Adds a reference beside other keywords, which version 3 does not allow directly. */
  void reference(JsonObject.Builder schema, String definition) {
    if (this == V2) {
      schema.put("$ref", definitions + definition);
    } else {
      schema.put("allOf", JsonArray.of(reference(definition)));
    }
  }

  /** A reference needs no wrapping where no other keyword came to stand beside it. */
  JsonObject simplified(JsonObject schema) {
    return this == V3 && schema.size() == 1 && schema.get("allOf") instanceof JsonArray wrapped
        ? (JsonObject) wrapped.get(0)
        : schema;
  }

  /** Adds a default; the published version 2 has none. */
  void defaultValue(JsonObject.Builder schema, Json value) {
    if (this == V3) {
      schema.put("default", value);
    }
  }
}
