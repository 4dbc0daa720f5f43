package dev.muster.openapi;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import dev.muster.wire.Bytes;
import dev.muster.wire.yaml.YamlWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * Writes a version 2 document as the protobuf message that kubectl reads, which is gnostic's {@code
 * openapi.v2.Document}. Handles the keywords that our documents use.
 */
final class OpenApiProtobuf {
  private static final Map<String, Integer> METHODS =
      Map.of("get", 2, "put", 3, "post", 4, "delete", 5, "options", 6, "head", 7, "patch", 8);

  private final Bytes out = new Bytes(256);

  /** Writes the content of a message. */
  private interface Content {
    void write(OpenApiProtobuf message);
  }

  private OpenApiProtobuf() {}

  static byte[] document(JsonObject document) {
    var message = new OpenApiProtobuf();
    message.out.add(head(document));
    var paths = paths(document.object("paths"));
    message.out.add(opening(8, paths.length));
    message.out.add(paths);
    var definitions = definitions(document.object("definitions"));
    message.out.add(opening(9, definitions.length));
    message.out.add(definitions);
    message.out.add(tail(document));
    return message.out.toArray();
  }

  /** What stands before the paths. */
  static byte[] head(JsonObject document) {
    var message = new OpenApiProtobuf();
    message.text(1, document.string("swagger"));
    var info = document.object("info");
    message.message(
        2,
        m -> {
          m.text(1, info.string("title"));
          m.text(2, info.string("version"));
        });
    return message.out.toArray();
  }

  /** What stands before the content of a message of that length. */
  static byte[] opening(int number, long length) {
    var message = new OpenApiProtobuf();
    message.varint((long) number << 3 | 2);
    message.varint(length);
    return message.out.toArray();
  }

  /** Paths as members of the message that holds all of them. */
  static byte[] paths(JsonObject paths) {
    var message = new OpenApiProtobuf();
    message.named(paths, 2, OpenApiProtobuf::pathItem);
    return message.out.toArray();
  }

  /** Definitions as members of the message that holds all of them. */
  static byte[] definitions(JsonObject definitions) {
    var message = new OpenApiProtobuf();
    message.named(definitions, 1, OpenApiProtobuf::schema);
    return message.out.toArray();
  }

  /** What stands behind the definitions. */
  static byte[] tail(JsonObject document) {
    var message = new OpenApiProtobuf();
    message.message(10, m -> m.named(document.object("parameters"), 1, OpenApiProtobuf::parameter));
    for (var requirement : document.array("security").objects()) {
      message.message(12, m -> m.named(requirement, 1, (s, scopes) -> {}));
    }
    message.message(
        13, m -> m.named(document.object("securityDefinitions"), 1, OpenApiProtobuf::apiKey));
    return message.out.toArray();
  }

  /** Writes one member of an object. */
  private interface Member {
    void write(OpenApiProtobuf message, JsonObject value);
  }

  /** Each member as a message of its name and value. */
  private void named(JsonObject object, int number, Member member) {
    for (int i = 0; i < object.size(); i++) {
      var key = object.key(i);
      var value = object.object(key);
      message(
          number,
          m -> {
            m.text(1, key);
            m.message(2, v -> member.write(v, value));
          });
    }
  }

  private void pathItem(JsonObject item) {
    for (int i = 0; i < item.size(); i++) {
      var number = METHODS.get(item.key(i));
      var operation = item.object(item.key(i));
      if (number != null) {
        message(number, m -> m.operation(operation));
      }
    }
    parameters(9, item.array("parameters"));
  }

  private void operation(JsonObject operation) {
    texts(1, operation.array("tags"));
    text(3, operation.string("description"));
    text(5, operation.string("operationId"));
    texts(6, operation.array("produces"));
    texts(7, operation.array("consumes"));
    parameters(8, operation.array("parameters"));
    message(
        9,
        m ->
            m.named(
                operation.object("responses"),
                1,
                (r, response) -> r.message(1, v -> v.response(response))));
    texts(10, operation.array("schemes"));
    extensions(13, operation);
  }

  private void response(JsonObject response) {
    text(1, response.string("description"));
    if (response.has("schema")) {
      message(2, m -> m.message(1, s -> s.schema(response.object("schema"))));
    }
  }

  private void parameters(int number, JsonArray parameters) {
    for (var parameter : parameters.objects()) {
      var reference = parameter.string("$ref");
      message(
          number,
          m -> {
            if (reference.isEmpty()) {
              m.message(1, p -> p.parameter(parameter));
            } else {
              m.message(2, r -> r.text(1, reference));
            }
          });
    }
  }

  private void parameter(JsonObject parameter) {
    switch (parameter.string("in")) {
      case "body" ->
          message(
              1,
              m -> {
                m.text(1, parameter.string("description"));
                m.text(2, parameter.string("name"));
                m.text(3, "body");
                m.bool(4, parameter.isTrue("required"));
                m.message(5, s -> s.schema(parameter.object("schema")));
              });
      case "path" -> message(2, m -> m.message(4, p -> p.primitive(parameter, 5, 19)));
      default -> message(2, m -> m.message(3, q -> q.primitive(parameter, 6, 20)));
    }
  }

  private void primitive(JsonObject parameter, int type, int unique) {
    bool(1, parameter.isTrue("required"));
    text(2, parameter.string("in"));
    text(3, parameter.string("description"));
    text(4, parameter.string("name"));
    text(type, parameter.string("type"));
    bool(unique, parameter.isTrue("uniqueItems"));
  }

  private void schema(JsonObject schema) {
    text(1, schema.string("$ref"));
    text(2, schema.string("format"));
    text(4, schema.string("description"));
    texts(19, schema.array("required"));
    for (var value : schema.array("enum")) {
      message(20, any -> any.yaml(value));
    }
    if (schema.has("additionalProperties")) {
      message(21, m -> m.message(1, s -> s.schema(schema.object("additionalProperties"))));
    }
    if (schema.has("type")) {
      message(22, m -> m.text(1, schema.string("type")));
    }
    if (schema.has("items")) {
      message(23, m -> m.message(1, s -> s.schema(schema.object("items"))));
    }
    if (schema.has("properties")) {
      message(25, m -> m.named(schema.object("properties"), 1, OpenApiProtobuf::schema));
    }
    extensions(31, schema);
  }

  private void apiKey(JsonObject key) {
    message(
        2,
        m -> {
          m.text(1, key.string("type"));
          m.text(2, key.string("name"));
          m.text(3, key.string("in"));
          m.text(4, key.string("description"));
        });
  }

  private void extensions(int number, JsonObject object) {
    for (int i = 0; i < object.size(); i++) {
      if (object.key(i).startsWith("x-")) {
        extension(number, object.key(i), object.value(i));
      }
    }
  }

  private void extension(int number, String name, Json value) {
    message(
        number,
        m -> {
          m.text(1, name);
          m.message(2, any -> any.yaml(value));
        });
  }

  /** Any value, which this format holds as YAML. */
  private void yaml(Json value) {
    text(2, new String(YamlWriter.bytes(value), StandardCharsets.UTF_8));
  }

  private void message(int number, Content content) {
    var inner = new OpenApiProtobuf();
    content.write(inner);
    varint((long) number << 3 | 2);
    varint(inner.out.size());
    out.add(inner.out.buffer(), 0, inner.out.size());
  }

  private void texts(int number, JsonArray texts) {
    for (var text : texts) {
      if (text instanceof JsonString string) {
        var bytes = string.value().getBytes(StandardCharsets.UTF_8);
        varint((long) number << 3 | 2);
        varint(bytes.length);
        out.add(bytes);
      }
    }
  }

  private void text(int number, String text) {
    if (!text.isEmpty()) {
      texts(number, JsonArray.of(Json.of(text)));
    }
  }

  private void bool(int number, boolean value) {
    if (value) {
      varint((long) number << 3);
      varint(1);
    }
  }

  private void varint(long value) {
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      out.add((int) ((rest & 0x7f) | 0x80));
      rest >>>= 7;
    }
    out.add((int) rest);
  }
}
