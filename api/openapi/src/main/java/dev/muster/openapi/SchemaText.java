package dev.muster.openapi;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.wire.Bytes;
import dev.muster.wire.JsonMembers;
import dev.muster.wire.JsonReader;
import dev.muster.wire.JsonWriter;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * Reads the texts of schemas, most of which is published as somebody wrote it. Such parts are not
 * parsed: something else stands for them in the tree, and their bytes are written in its place.
 * Used by one thread.
 */
final class SchemaText {
  /** What says the same in every document. */
  private static final Set<String> COMMON =
      Set.of(
          "description",
          "enum",
          "example",
          "exclusiveMaximum",
          "exclusiveMinimum",
          "externalDocs",
          "format",
          "maxItems",
          "maxLength",
          "maxProperties",
          "maximum",
          "minItems",
          "minLength",
          "minProperties",
          "minimum",
          "multipleOf",
          "pattern",
          "title",
          "uniqueItems",
          "x-kubernetes-list-map-keys",
          "x-kubernetes-list-type",
          "x-kubernetes-map-type",
          "x-kubernetes-validations");

  private static final Set<String> IN_V2 = with("x-kubernetes-int-or-string");
  private static final Set<String> IN_V3 =
      with(
          "allOf",
          "anyOf",
          "default",
          "not",
          "nullable",
          "oneOf",
          "x-kubernetes-preserve-unknown-fields");

  /** What is deeper is parsed without a look at it, so that nothing is looked at too often. */
  private static final int DEEPEST = 12;

  private final Dialect dialect;
  private final IdentityHashMap<Json, Span> verbatim = new IdentityHashMap<>();

  /** A part of a text. */
  private record Span(byte[] text, int start, int end) {}

  SchemaText(Dialect dialect) {
    this.dialect = dialect;
  }

  private static Set<String> with(String... more) {
    var all = new HashSet<>(COMMON);
    all.addAll(Set.of(more));
    return Set.copyOf(all);
  }

  /** A schema, in which plain ones may stand for those within it that are published as they are. */
  JsonObject read(byte[] text) {
    return schema(text, new JsonMembers(text, 0), 0);
  }

  /**
   * @param members all of the schema's own; behind the last one afterwards
   */
  private JsonObject schema(byte[] text, JsonMembers members, int depth) {
    var schema = JsonObject.builder();
    while (members.next()) {
      var keyword = members.key();
      schema.put(
          keyword,
          switch (keyword) {
            case "properties" ->
                members.isObject() ? properties(text, members, depth) : tree(text, members);
            case "items", "additionalProperties" -> part(text, members, depth);
            default -> tree(text, members);
          });
    }
    return schema.build();
  }

  private JsonObject properties(byte[] text, JsonMembers member, int depth) {
    var properties = JsonObject.builder();
    var members = new JsonMembers(text, member.value());
    while (members.next()) {
      properties.put(members.key(), part(text, members, depth));
    }
    member.end(members.end() + 1);
    return properties.build();
  }

  private Json part(byte[] text, JsonMembers members, int depth) {
    if (!members.isObject() || depth > DEEPEST) {
      return tree(text, members);
    }
    int end = afterVerbatim(text, members.value());
    if (end < 0) {
      var own = new JsonMembers(text, members.value());
      var schema = schema(text, own, depth + 1);
      members.end(own.end() + 1);
      return schema;
    }
    members.end(end);
    var substitute = JsonObject.of("description", "");
    verbatim.put(substitute, new Span(text, members.value(), end));
    return substitute;
  }

  private static Json tree(byte[] text, JsonMembers members) {
    return JsonReader.document(text, members.value(), members.end() - members.value()).value();
  }

  /**
   * The position behind a schema that {@link CustomDefinition} leaves as it is, with all that is in
   * it; negative for another one.
   */
  private int afterVerbatim(byte[] text, int start) {
    var plain = dialect == Dialect.V2 ? IN_V2 : IN_V3;
    boolean list = false;
    boolean hasItems = false;
    var members = new JsonMembers(text, start);
    while (members.next()) {
      boolean same =
          switch (members.key()) {
            case "type" -> {
              list = members.is("\"array\"");
              yield true;
            }
            case "required" -> new JsonMembers(text, members.value()).next();
            case "items" -> {
              hasItems = true;
              yield isVerbatim(text, members);
            }
            case "additionalProperties" -> !members.isObject() || isVerbatim(text, members);
            case "properties" -> members.isObject() && areVerbatim(text, members);
            case String keyword -> plain.contains(keyword);
          };
      if (!same) {
        return -1;
      }
    }
    return list && !hasItems ? -1 : members.end() + 1;
  }

  private boolean isVerbatim(byte[] text, JsonMembers member) {
    int end = member.isObject() ? afterVerbatim(text, member.value()) : -1;
    if (end >= 0) {
      member.end(end);
    }
    return end >= 0;
  }

  private boolean areVerbatim(byte[] text, JsonMembers member) {
    var properties = new JsonMembers(text, member.value());
    while (properties.next()) {
      if (!isVerbatim(text, properties)) {
        return false;
      }
    }
    member.end(properties.end() + 1);
    return true;
  }

  /** Writes a tree that was made of schemas that were read here. */
  void write(Json value, Bytes out) {
    var span = verbatim.get(value);
    if (span != null) {
      out.add(span.text(), span.start(), span.end() - span.start());
    } else if (value instanceof JsonObject object) {
      var writer = new JsonWriter(out);
      for (int i = 0; i < object.size(); i++) {
        out.add(i == 0 ? '{' : ',');
        writer.write(object.key(i));
        out.add(':');
        write(object.value(i), out);
      }
      out.addAscii(object.isEmpty() ? "{}" : "}");
    } else {
      new JsonWriter(out).write(value);
    }
  }
}
