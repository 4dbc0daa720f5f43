package dev.muster.validation.apis;

import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonBool;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import java.util.List;

/** Checks whether a schema can be converted to a structural schema at all. */
final class StructuralForm {
  /** Fields that no structural schema has; they may be present but empty. */
  private static final List<String> UNSUPPORTED =
      List.of("id", "$schema", "$ref", "patternProperties", "dependencies");

  private StructuralForm() {}

  /** The first obstacle, or "". */
  static String problem(JsonObject schema) {
    if (SchemaTree.isSimple(schema)) {
      return "";
    }
    var problem = own(schema);
    if (problem.isEmpty() && schema.get("not") instanceof JsonObject not) {
      problem = problem(not);
    }
    for (var field : List.of("allOf", "anyOf", "oneOf")) {
      for (var member : schema.array(field).objects()) {
        problem = problem.isEmpty() ? problem(member) : problem;
      }
    }
    if (problem.isEmpty() && schema.get("x-kubernetes-preserve-unknown-fields") == JsonBool.FALSE) {
      return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
    }
    return problem.isEmpty() ? below(schema) : problem;
  }

  private static String below(JsonObject schema) {
    var items = schema.get("items");
    if (items instanceof JsonArray array && !array.isEmpty()) {
      return "OpenAPIV3Schema 'items' must be a schema, but is an array";
    }
    var problem = items instanceof JsonObject single ? problem(single) : "";
    var properties = schema.object("properties");
    for (int i = 0; i < properties.size() && problem.isEmpty(); i++) {
      problem = properties.value(i) instanceof JsonObject property ? problem(property) : "";
    }
    return problem.isEmpty() && schema.get("additionalProperties") instanceof JsonObject values
        ? problem(values)
        : problem;
  }

  private static String own(JsonObject schema) {
    for (var field : UNSUPPORTED) {
      if (!schema.string(field).isEmpty() || !schema.object(field).isEmpty()) {
        return unsupported(field.equals("$schema") ? "schema" : field);
      }
    }
    var more = schema.get("additionalItems");
    if (more != null && more != JsonNull.NULL) {
      return unsupported("additionalItems");
    }
    return schema.object("definitions").isEmpty() ? "" : unsupported("definitions");
  }

  private static String unsupported(String field) {
    return "OpenAPIV3Schema '" + field + "' is not supported";
  }
}
