package dev.muster.validation.apis;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.FieldError;
import dev.muster.validation.FieldCursor;
import java.util.HashSet;
import java.util.Set;

/** Validates the selectable fields of a custom resource. */
final class SelectableFieldRules {
  private static final int MOST = 8;
  private static final Set<String> TYPES = Set.of("string", "boolean", "integer");

  private SelectableFieldRules() {}

  /**
   * @param schema the field that contains the schema
   */
  static void check(FieldCursor fields, FieldCursor schema) {
    if (fields.isEmpty()) {
      return;
    }
    var root = schema.at("openAPIV3Schema");
    if (root.isAbsent()) {
      fields.invalid(
          Json.of(""),
          schema.name().equals("schema")
              ? "may only be set when `version.schema.openAPIV3Schema` is not included"
              : "may only be set when validations.schema is included");
      return;
    }
    var seen = new HashSet<String>();
    for (var field : fields.items()) {
      one(field.at("jsonPath"), root.object(), seen);
    }
    if (seen.size() > MOST && !(fields.isUpdate() && !fields.isChanged())) {
      fields.report(FieldError.tooMany(fields.path(), seen.size(), MOST));
    }
  }

  private static void one(FieldCursor path, JsonObject schema, Set<String> seen) {
    if (path.isEmpty()) {
      path.required("");
      return;
    }
    var found = SchemaPaths.find(path.text(), schema, false);
    if (!found.problem().isEmpty()) {
      path.invalid("is an invalid path: " + found.problem());
      return;
    }
    if ((path.text() + ".").startsWith(".metadata.")) {
      path.invalid("must not point to fields in metadata");
    }
    if (!TYPES.contains(found.schema().string("type"))) {
      path.invalid(
          "must point to a field of type string, boolean or integer. Enum string fields and"
              + " strings with formats are allowed.");
    }
    if (!seen.add(path.text())) {
      path.duplicate();
    }
  }
}
