package dev.muster.validation.apis;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.muster.model.RegexSize;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.FieldError;
import dev.muster.validation.FieldCursor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * Checks that a schema is structural: the type of every value is known without looking at other
 * values. Errors are sorted alphabetically.
 */
final class StructuralRules {
  private static final JsonArray INT_OR_STRING =
      JsonArray.of(JsonObject.of("type", "integer"), JsonObject.of("type", "string"));

  /** The position of a schema. */
  private enum Level {
    ROOT("must not be empty at the root"),
    ITEM("must not be empty for specified array items"),
    FIELD("must not be empty for specified object fields");

    private final String untyped;

    Level(String untyped) {
      this.untyped = untyped;
    }
  }

  private StructuralRules() {}

  static List<FieldError> check(FieldCursor schema) {
    var errors = new ArrayList<FieldError>();
    var place = schema.collectingInto(errors);
    structure(place, Level.ROOT);
    complete(place, place);
    errors.sort(Comparator.comparing(FieldError::toString));
    return errors;
  }

  private static void structure(FieldCursor schema, Level level) {
    if (level != Level.ROOT && SchemaTree.isSimple(schema.object())) {
      return;
    }
    var type = schema.at("type");
    var items = schema.at("items");
    if (type.isText("array") && items.isAbsent()) {
      items.required("must be specified");
    }
    if (items.isPresent()) {
      structure(items, Level.ITEM);
    }
    schema.at("properties").entries().forEach(property -> structure(property, Level.FIELD));
    var values = schema.at("additionalProperties");
    if (values.isPresent() && level == Level.ROOT) {
      values.forbidden("must not be used at the root");
    }
    if (SchemaTree.isSchema(values)) {
      structure(values, Level.FIELD);
    }
    extensions(schema);
    junctors(schema);
    types(schema, level);
    meta(schema, level);
  }

  private static void extensions(FieldCursor schema) {
    if (!schema.at("x-kubernetes-int-or-string").isTrue()) {
      return;
    }
    for (var field :
        List.of("x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource")) {
      if (schema.at(field).isTrue()) {
        schema.at(field).invalid("must be false if x-kubernetes-int-or-string is true");
      }
    }
  }

  private static void types(FieldCursor schema, Level level) {
    var type = schema.at("type");
    boolean embedded = schema.at("x-kubernetes-embedded-resource").isTrue();
    if (embedded && !type.isText("object")) {
      var detail = "must be object if x-kubernetes-embedded-resource is true";
      if (type.isEmpty()) {
        type.required(detail);
      } else {
        type.invalid(detail);
      }
    } else if (type.isEmpty()
        && !schema.at("x-kubernetes-int-or-string").isTrue()
        && !schema.at("x-kubernetes-preserve-unknown-fields").isTrue()) {
      type.required(level.untyped);
    }
    if (embedded && schema.has("additionalProperties")) {
      schema
          .at("additionalProperties")
          .forbidden("must not be used if x-kubernetes-embedded-resource is set");
    }
    if (level == Level.ROOT && !type.isEmpty() && !type.isText("object")) {
      type.invalid("must be object at the root");
    }
  }

  private static void meta(FieldCursor schema, Level level) {
    boolean embedded = schema.at("x-kubernetes-embedded-resource").isTrue();
    boolean resource = level == Level.ROOT || embedded;
    var properties = schema.at("properties");
    for (var name : List.of("kind", "apiVersion")) {
      if (resource && properties.has(name) && !properties.entry(name).at("type").isText("string")) {
        properties.entry(name).at("type").invalid("must be string");
      }
    }
    if (properties.has("metadata")) {
      var metadata = properties.entry("metadata");
      if (resource && !metadata.at("type").isText("object")) {
        metadata.at("type").invalid("must be object");
      }
      if (level == Level.ROOT && !isImplicit(metadata.object())) {
        metadata.forbidden(
            "must not specify anything other than name and generateName, but metadata is"
                + " implicitly specified");
      }
    }
    if (embedded
        && !schema.at("x-kubernetes-preserve-unknown-fields").isTrue()
        && properties.isEmpty()) {
      properties.required(
          "must not be empty if x-kubernetes-embedded-resource is true without"
              + " x-kubernetes-preserve-unknown-fields");
    }
  }

  private static boolean isImplicit(JsonObject metadata) {
    var names = metadata.object("properties").keys();
    boolean known = Set.of("name", "generateName").containsAll(names);
    var rest = metadata.without("type").without("default");
    return (known ? rest.without("properties") : rest).isEmpty();
  }

  private static void junctors(FieldCursor schema) {
    boolean plain = schema.at("anyOf").array().equals(INT_OR_STRING);
    boolean first =
        !schema.at("allOf").isEmpty()
            && schema.at("allOf").array().object(0).array("anyOf").equals(INT_OR_STRING);
    for (var field : SchemaTree.JUNCTORS) {
      if (field.equals("anyOf") && plain) {
        continue;
      }
      var members = schema.at(field).items();
      for (int i = 0; i < members.size(); i++) {
        nested(members.get(i), field.equals("allOf") && i == 0 && first);
      }
    }
    if (schema.has("not")) {
      nested(schema.at("not"), false);
    }
    pattern(schema.at("pattern"));
  }

  private static void pattern(FieldCursor pattern) {
    if (pattern.isEmpty()) {
      return;
    }
    if (RegexSize.isTooLarge(pattern.text())) {
      notRegular(pattern, RegexSize.TOO_LARGE);
      return;
    }
    try {
      Pattern.compile(pattern.text());
    } catch (PatternSyntaxException e) {
      notRegular(pattern, String.valueOf(e.getMessage()));
    }
  }

  private static void notRegular(FieldCursor pattern, String why) {
    pattern.invalid(
        "must be a valid regular expression, but isn't: error parsing regexp: "
            + why.replace("error parsing regexp: ", ""));
  }

  /**
   * A schema inside {@code allOf}, {@code anyOf}, {@code oneOf} or {@code not} restricts values and
   * must not declare structure.
   */
  private static void nested(FieldCursor schema, boolean skipAnyOf) {
    for (var field : SchemaTree.JUNCTORS) {
      if (!(field.equals("anyOf") && skipAnyOf)) {
        schema.at(field).items().forEach(member -> nested(member, false));
      }
    }
    if (schema.has("not")) {
      nested(schema.at("not"), false);
    }
    pattern(schema.at("pattern"));
    if (schema.has("items")) {
      nested(schema.at("items"), false);
    }
    schema.at("properties").entries().forEach(property -> nested(property, false));
    for (var field : List.of("type", "title", "description")) {
      empty(schema, field, "must be empty to be structural");
    }
    for (var field :
        List.of(
            "additionalProperties", "default", "x-kubernetes-list-type", "x-kubernetes-map-type")) {
      if (schema.has(field)) {
        schema.at(field).forbidden("must be undefined to be structural");
      }
    }
    for (var field :
        List.of(
            "nullable",
            "x-kubernetes-preserve-unknown-fields",
            "x-kubernetes-embedded-resource",
            "x-kubernetes-int-or-string")) {
      if (schema.at(field).isTrue()) {
        schema.at(field).forbidden("must be false to be structural");
      }
    }
    empty(schema, "x-kubernetes-list-map-keys", "must be empty to be structural");
    empty(schema, "x-kubernetes-validations", "must be empty to be structural");
    if (schema.at("properties").has("metadata")) {
      schema
          .at("properties")
          .entry("metadata")
          .forbidden("must not be specified in a nested context");
    }
  }

  private static void empty(FieldCursor schema, String field, String detail) {
    if (!schema.at(field).isEmpty()) {
      schema.at(field).forbidden(detail);
    }
  }

  /** Checks that every field in such a schema is also declared in the structure. */
  private static void complete(FieldCursor values, FieldCursor structure) {
    if (values.has("not")) {
      completeNested(values.at("not"), structure);
    }
    for (var field : SchemaTree.JUNCTORS) {
      values.at(field).items().forEach(member -> completeNested(member, structure));
    }
  }

  private static void completeNested(FieldCursor values, FieldCursor structure) {
    complete(values, structure);
    if (values.has("items")) {
      defined(values.at("items"), structure.at("items"));
    }
    for (var property : values.at("properties").entries()) {
      defined(property, structure.at("properties").entry(property.name()));
    }
  }

  private static void defined(FieldCursor values, FieldCursor structure) {
    if (structure.isAbsent()) {
      structure.required("because it is defined in " + values.path());
    } else {
      completeNested(values, structure);
    }
  }
}
