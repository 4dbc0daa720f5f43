package dev.muster.validation.apis;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonBool;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.FieldError;
import dev.muster.validation.FieldCursor;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Validates the schema of a custom resource, apart from its structure. */
final class SchemaRules {
  private static final List<String> TYPES =
      List.of("array", "boolean", "integer", "number", "object", "string");
  private static final List<String> UNSUPPORTED =
      List.of("id", "additionalItems", "patternProperties", "definitions", "dependencies", "$ref");
  private static final Set<String> META = Set.of("metadata", "kind", "apiVersion");
  private static final List<String> REASONS =
      List.of(
          "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired");
  private static final Set<String> AT_ROOT =
      Set.of(
          "description",
          "type",
          "format",
          "title",
          "maximum",
          "exclusiveMaximum",
          "minimum",
          "exclusiveMinimum",
          "maxLength",
          "minLength",
          "pattern",
          "maxItems",
          "minItems",
          "uniqueItems",
          "multipleOf",
          "required",
          "items",
          "properties",
          "externalDocs",
          "example",
          "x-kubernetes-preserve-unknown-fields",
          "x-kubernetes-validations");
  private static final String ROOT_FIELDS =
      "only [Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum"
          + " MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items"
          + " Properties ExternalDocs Example XPreserveUnknownFields XValidations] fields are"
          + " allowed at the root of the schema if the status subresource is enabled";

  /** Unsupported fields that are allowed when they are empty. */
  private static final Set<String> FILLED = Set.of("id", "patternProperties", "definitions");

  private SchemaRules() {}

  /** The position of a schema. */
  private record Context(boolean root, boolean meta, String noDefaults) {}

  /**
   * @param holder the field that contains the schema in {@code openAPIV3Schema}
   * @param status whether the resource has a status subresource
   */
  static void root(FieldCursor holder, boolean status) {
    var schema = holder.at("openAPIV3Schema");
    if (schema.isAbsent()) {
      return;
    }
    var first = new ArrayList<FieldError>();
    if (status) {
      statusRoot(schema.collectingInto(first));
    }
    if (schema.at("nullable").isTrue()) {
      schema.collectingInto(first).at("nullable").forbidden("nullable cannot be true at the root");
    }
    first.forEach(schema::report);
    var unsupported = StructuralForm.problem(schema.object());
    var structural = new ArrayList<FieldError>();
    if (unsupported.isEmpty()) {
      structural.addAll(StructuralRules.check(schema));
      if (structural.isEmpty()) {
        SchemaDefaults.check(schema.collectingInto(structural));
      }
    }
    structural.forEach(schema::report);
    var errors = new ArrayList<FieldError>();
    check(schema.collectingInto(errors), new Context(true, false, ""));
    errors.forEach(schema::report);
    if (!unsupported.isEmpty()) {
      if (first.isEmpty() && errors.isEmpty()) {
        schema.invalid(Json.of(""), unsupported);
      }
    } else if (structural.isEmpty()) {
      SchemaExpressions.check(schema, errors);
    }
  }

  private static void statusRoot(FieldCursor schema) {
    for (var field : schema.object().keys()) {
      if (field.equals("type") && !schema.at(field).isText("object")) {
        schema
            .at(field)
            .invalid(
                "only \"object\" is allowed as the type at the root of the schema if the status"
                    + " subresource is enabled");
        return;
      }
      var value = schema.at(field);
      boolean zero = value.isEmpty() || value.value() == JsonBool.FALSE;
      if (!zero && !AT_ROOT.contains(field)) {
        schema.invalid(ROOT_FIELDS);
        return;
      }
    }
  }

  private static void check(FieldCursor schema, Context context) {
    if (SchemaTree.isSimple(schema.object())) {
      return;
    }
    standard(schema, context);
    if (schema.at("uniqueItems").isTrue()) {
      schema
          .at("uniqueItems")
          .forbidden(
              "uniqueItems cannot be set to true since the runtime complexity becomes quadratic");
    }
    children(schema, context);
    var preserve = schema.at("x-kubernetes-preserve-unknown-fields");
    if (preserve.isPresent() && !preserve.isTrue()) {
      preserve.invalid("must be true or undefined");
    }
    mapType(schema);
    ListTypeRules.check(schema);
    var rules = schema.at("x-kubernetes-validations").items();
    rules.forEach(rule -> rule(rule, schema.object()));
  }

  private static void standard(FieldCursor schema, Context context) {
    var type = schema.at("type");
    if (!type.isEmpty() && !TYPES.contains(type.text())) {
      type.notSupported(TYPES);
    }
    if (schema.has("default") && !context.noDefaults().isEmpty()) {
      schema.at("default").forbidden("must not be set " + context.noDefaults());
    }
    for (var field : UNSUPPORTED) {
      boolean given = FILLED.contains(field) ? !schema.at(field).isEmpty() : schema.has(field);
      if (given) {
        schema.at(field).forbidden(field + " is not supported");
      }
    }
    if (type.isText("null")) {
      type.forbidden("type cannot be set to null, use nullable as an alternative");
    }
    if (schema.at("items").value() instanceof JsonArray) {
      schema.at("items").forbidden("items must be a schema object and not an array");
    }
    if (context.meta() && schema.at("x-kubernetes-embedded-resource").isTrue()) {
      schema
          .at("x-kubernetes-embedded-resource")
          .forbidden("must not be used inside of resource meta");
    }
  }

  private static void children(FieldCursor schema, Context context) {
    var below = new Context(false, context.meta(), context.noDefaults());
    var values = schema.at("additionalProperties");
    if (values.isPresent()) {
      boolean anything = values.isTrue();
      if (!schema.at("properties").isEmpty() && !anything) {
        values.forbidden("additionalProperties and properties are mutual exclusive");
      }
      if (SchemaTree.isSchema(values)) {
        check(
            values,
            context.meta()
                ? new Context(
                    false, true, "inside additionalProperties applying to object metadata")
                : below);
      }
    }
    boolean resource = context.root() || schema.at("x-kubernetes-embedded-resource").isTrue();
    for (var property : schema.at("properties").entries()) {
      boolean meta = resource && META.contains(property.name());
      check(
          property,
          new Context(
              false,
              context.meta() || meta,
              meta && context.root() ? "in top-level " + property.name() : context.noDefaults()));
    }
    if (schema.has("not")) {
      check(schema.at("not"), below);
    }
    for (var field : SchemaTree.JUNCTORS) {
      schema.at(field).items().forEach(member -> check(member, below));
    }
    schema.at("definitions").entries().forEach(definition -> check(definition, below));
    if (SchemaTree.isSchema(schema.at("items"))) {
      check(schema.at("items"), below);
    } else {
      schema.at("items").items().forEach(item -> check(item, below));
    }
  }

  private static void mapType(FieldCursor schema) {
    var map = schema.at("x-kubernetes-map-type");
    if (map.isAbsent()) {
      return;
    }
    typed(schema.at("type"), "object", "x-kubernetes-map-type");
    var supported = List.of("atomic", "granular");
    if (!supported.contains(map.text())) {
      map.notSupported(supported);
    }
  }

  /** Checks a field that requires a certain type. */
  static boolean typed(FieldCursor type, String wanted, String field) {
    var detail = "must be " + wanted + " if " + field + " is specified";
    if (type.isEmpty()) {
      type.required(detail);
    } else if (!type.isText(wanted)) {
      type.invalid(detail);
    }
    return type.isText(wanted);
  }

  private static void rule(FieldCursor rule, JsonObject schema) {
    var text = rule.at("rule").text().strip();
    var message = rule.at("message");
    var said = message.text().strip();
    if (text.isEmpty()) {
      rule.at("rule").required("rule is not specified");
    } else if (!message.isEmpty() && said.isEmpty()) {
      message.invalid("must be non-empty if specified");
    } else if (hasLines(said)) {
      message.invalid("must not contain line breaks");
    } else if (hasLines(text) && said.isEmpty()) {
      message.required("message must be specified if rule contains line breaks");
    }
    var computed = rule.at("messageExpression");
    if (!computed.isEmpty() && computed.text().isBlank()) {
      computed.required("messageExpression must be non-empty if specified");
    }
    var reason = rule.at("reason");
    if (reason.isPresent() && !REASONS.contains(reason.text())) {
      reason.notSupported(REASONS);
    }
    var path = rule.at("fieldPath");
    if (!path.isEmpty()) {
      if (path.text().isBlank()) {
        path.invalid("must be non-empty if specified");
      }
      if (hasLines(path.text())) {
        path.invalid("must not contain line breaks");
      }
      if (StructuralForm.problem(schema).isEmpty()
          && !SchemaPaths.find(path.text(), schema, true).problem().isEmpty()) {
        path.invalid("must be a valid path");
      }
    }
  }

  private static boolean hasLines(String text) {
    return text.indexOf('\n') >= 0 || text.indexOf('\r') >= 0;
  }

  /** Validates the keys and items of a list of type map. */
  private static final class ListTypeRules {
    static void check(FieldCursor schema) {
      var list = schema.at("x-kubernetes-list-type");
      var keys = schema.at("x-kubernetes-list-map-keys");
      var items = schema.at("items");
      if (list.isPresent()
          && typed(schema.at("type"), "array", "x-kubernetes-list-type")
          && list.isText("set")) {
        atomic(items);
      }
      var supported = List.of("atomic", "set", "map");
      if (list.isPresent() && !supported.contains(list.text())) {
        list.notSupported(supported);
      }
      if (!keys.isEmpty() && !list.isText("map")) {
        var detail = "must be map if x-kubernetes-list-map-keys is non-empty";
        if (list.isAbsent()) {
          list.required(detail);
        } else {
          list.invalid(detail);
        }
      }
      if (list.isText("map")) {
        map(keys, items);
      }
      if ((list.isText("map") || list.isText("set")) && SchemaTree.isSchema(items)) {
        strict(list.text(), keys, items);
      }
    }

    private static void atomic(FieldCursor items) {
      var list = items.at("x-kubernetes-list-type");
      var detail = "must be atomic as item of a list with x-kubernetes-list-type=set";
      if (items.at("type").isText("array") && list.isPresent() && !list.isText("atomic")) {
        list.invalid(detail);
      }
      if (items.at("type").isText("object")
          && !items.at("x-kubernetes-map-type").isText("atomic")) {
        Json shown = list.value() == null ? JsonNull.NULL : list.value();
        items.at("x-kubernetes-map-type").invalid(shown, detail);
      }
    }

    private static void map(FieldCursor keys, FieldCursor items) {
      if (keys.isEmpty()) {
        keys.required("must not be empty if x-kubernetes-list-type is map");
      }
      if (items.isAbsent()) {
        items.required("must have a schema if x-kubernetes-list-type is map");
        return;
      }
      if (!SchemaTree.isSchema(items)) {
        items.invalid("must only have a single schema if x-kubernetes-list-type is map");
        return;
      }
      if (!items.at("type").isText("object")) {
        items.at("type").invalid("must be object if parent array's x-kubernetes-list-type is map");
        return;
      }
      var seen = new HashSet<String>();
      for (var key : keys.array().strings()) {
        var property = items.at("properties").entry(key);
        if (property.isAbsent()) {
          keys.invalid("entries must all be names of item properties");
        } else if (Set.of("array", "object").contains(property.at("type").text())) {
          property
              .at("type")
              .invalid(
                  Json.of("object"),
                  "must be a scalar type if parent array's x-kubernetes-list-type is map");
        }
        if (!seen.add(key)) {
          keys.invalid("must not contain duplicate entries");
        }
      }
    }

    private static void strict(String list, FieldCursor keys, FieldCursor items) {
      if (items.at("nullable").isTrue()) {
        items.at("nullable").forbidden("cannot be nullable when x-kubernetes-list-type is " + list);
      }
      if (!list.equals("map")) {
        return;
      }
      var required = items.at("required").array().strings();
      for (var key : keys.array().strings()) {
        var property = items.at("properties").entry(key);
        if (property.isAbsent()) {
          continue;
        }
        if (!required.contains(key) && !property.has("default")) {
          property
              .at("default")
              .required(
                  "this property is in x-kubernetes-list-map-keys, so it must have a default or be"
                      + " a required property");
        }
        if (property.at("nullable").isTrue()) {
          property
              .at("nullable")
              .forbidden(
                  "this property is in x-kubernetes-list-map-keys, so it cannot be nullable");
        }
      }
    }
  }
}
