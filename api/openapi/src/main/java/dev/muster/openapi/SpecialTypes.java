package dev.muster.openapi;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.schema.Scalar;
import dev.muster.schema.Schemas;
import dev.muster.schema.StructShape;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Definitions of types that are not structs in JSON. */
enum SpecialTypes {
  TIME(Schemas.META + "Time", "string", "date-time", "A time in RFC 3339, in whole seconds."),
  MICRO_TIME(
      Schemas.META + "MicroTime", "string", "date-time", "A time in RFC 3339, with microseconds."),
  DURATION(Schemas.META + "Duration", "string", "", "A duration such as 1h30m."),
  QUANTITY(
      "io.k8s.apimachinery.pkg.api.resource.Quantity",
      "string",
      "",
      "An amount of a resource: a number with an optional suffix, which is a power of ten (n, u, m,"
          + " k, M, G, T, P, E), a power of two (Ki, Mi, Gi, Ti, Pi, Ei) or an exponent (e3). The"
          + " same amount may be written in several ways; the API writes it with the largest suffix"
          + " that leaves no fraction."),
  INT_OR_STRING(
      "io.k8s.apimachinery.pkg.util.intstr.IntOrString",
      "string",
      "int-or-string",
      "A number or a text, for instance the number or the name of a port."),
  RAW_EXTENSION(
      "io.k8s.apimachinery.pkg.runtime.RawExtension",
      "object",
      "",
      "An object of any kind, kept as it is."),
  FIELDS_V1(
      Schemas.META + "FieldsV1",
      "object",
      "",
      "A set of fields, as a tree: keys are f:<name> for a field, k:<keys> for a member of a list"
          + " by its keys, v:<value> for a member of a set, i:<index> for a place in a list; \".\""
          + " stands for the thing itself."),
  JSON(Names.EXTENSIONS + "JSON", "", "", "Any JSON value."),
  SCHEMA_OR_ARRAY(
      Names.EXTENSIONS + "JSONSchemaPropsOrArray", "", "", "A schema, or a list of schemas."),
  SCHEMA_OR_BOOL(Names.EXTENSIONS + "JSONSchemaPropsOrBool", "", "", "A schema, or a boolean."),
  SCHEMA_OR_STRINGS(
      Names.EXTENSIONS + "JSONSchemaPropsOrStringArray",
      "",
      "",
      "A schema, or a list of property names."),
  PATCH(Schemas.META + "Patch", "object", "", "The body of a PATCH request."),
  VERSION_INFO("io.k8s.apimachinery.pkg.version.Info", "object", "", "The version of the server.");

  /** Prefixes of names. */
  private static final class Names {
    static final String EXTENSIONS = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.";
  }

  private static final Map<String, String> VERSION_DESCRIPTIONS =
      Map.of(
          "major", "The major version of the binary",
          "minor", "The minor version of the binary",
          "emulationMajor", "The major version that is emulated",
          "emulationMinor", "The minor version that is emulated",
          "minCompatibilityMajor", "The major version of the oldest compatible one",
          "minCompatibilityMinor", "The minor version of the oldest compatible one");

  private static final List<String> OPTIONAL_VERSION_FIELDS =
      List.of("emulationMajor", "emulationMinor", "minCompatibilityMajor", "minCompatibilityMinor");

  private static final List<String> VERSION_FIELDS =
      List.of(
          "major",
          "minor",
          "gitVersion",
          "gitCommit",
          "gitTreeState",
          "buildDate",
          "goVersion",
          "compiler",
          "platform");

  private final String definition;
  private final String type;
  private final String format;
  private final String description;

  SpecialTypes(String definition, String type, String format, String description) {
    this.definition = definition;
    this.type = type;
    this.format = format;
    this.description = description;
  }

  String definition() {
    return definition;
  }

  /** The type with that definition. */
  static Optional<SpecialTypes> named(String definition) {
    return Arrays.stream(values()).filter(type -> type.definition.equals(definition)).findFirst();
  }

  /** The type of a scalar that has a definition of its own. */
  static SpecialTypes of(StructShape owner, Scalar scalar) {
    return switch (scalar) {
      case TIME -> TIME;
      case MICRO_TIME -> MICRO_TIME;
      case DURATION -> DURATION;
      case QUANTITY -> QUANTITY;
      case INT_OR_STRING -> INT_OR_STRING;
      case FIELDS_V1 -> FIELDS_V1;
      case ANY -> owner.name().startsWith(Names.EXTENSIONS) ? JSON : RAW_EXTENSION;
      case SCHEMA_OR_ARRAY -> SCHEMA_OR_ARRAY;
      case SCHEMA_OR_BOOL -> SCHEMA_OR_BOOL;
      case SCHEMA_OR_STRINGS -> SCHEMA_OR_STRINGS;
      case STRING, BOOLEAN, INT32, INT64, DOUBLE, BYTES ->
          throw new IllegalArgumentException(scalar + " has no definition");
    };
  }

  JsonObject schema(Dialect dialect) {
    var schema = JsonObject.builder().put("description", description);
    schema.putIf("format", format);
    if (dialect == Dialect.V3 && this == INT_OR_STRING) {
      return schema.put("oneOf", types("integer", "string")).build();
    }
    if (dialect == Dialect.V3 && this == QUANTITY) {
      return schema.put("oneOf", types("string", "number")).build();
    }
    if (this == VERSION_INFO) {
      var properties = JsonObject.builder();
      Stream.concat(VERSION_FIELDS.stream(), OPTIONAL_VERSION_FIELDS.stream())
          .sorted()
          .forEach(name -> properties.put(name, versionField(dialect, name)));
      schema.put("properties", properties.build());
      schema.put("required", JsonArray.ofStrings(VERSION_FIELDS));
    }
    schema.putIf("type", type);
    return schema.build();
  }

  private static JsonObject versionField(Dialect dialect, String name) {
    var field =
        JsonObject.builder()
            .putIf("description", VERSION_DESCRIPTIONS.getOrDefault(name, ""))
            .put("type", "string");
    if (VERSION_FIELDS.contains(name)) {
      dialect.defaultValue(field, Json.of(""));
    }
    return field.build();
  }

  private static JsonArray types(String one, String other) {
    return JsonArray.of(JsonObject.of("type", one), JsonObject.of("type", other));
  }
}
