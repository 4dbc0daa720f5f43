package dev.muster.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.wire.Bytes;
import dev.muster.wire.JsonReader;
import dev.muster.wire.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A schema whose parts are copied is published as one that was parsed. */
class SchemaTextTest {
  private static final JsonArray KINDS = JsonArray.of(JsonObject.of("kind", "Lamp"));
  private static final List<String> TYPES =
      List.of("object", "array", "string", "integer", "number", "boolean");
  private static final JsonArray EITHER =
      JsonArray.of(JsonObject.of("type", "integer"), JsonObject.of("type", "string"));

  private static String parsed(Dialect dialect, byte[] schema) {
    return definition(dialect, (JsonObject) JsonReader.read(schema)).toString();
  }

  private static JsonObject definition(Dialect dialect, JsonObject schema) {
    return new CustomDefinition(dialect, new Definitions(dialect, List.of())).of(schema, KINDS);
  }

  private static String copied(Dialect dialect, byte[] schema) {
    var text = new SchemaText(dialect);
    var out = new Bytes(16);
    text.write(definition(dialect, text.read(schema)), out);
    return JsonReader.read(out.toArray()).toString();
  }

  private static void assertSame(Dialect dialect, byte[] schema) {
    assertThat(copied(dialect, schema))
        .as("%s of %s", dialect, new String(schema, StandardCharsets.UTF_8))
        .isEqualTo(parsed(dialect, schema));
  }

  @ParameterizedTest
  @EnumSource(Dialect.class)
  void whateverASchemaSays(Dialect dialect) {
    var random = new Random(4);
    for (int i = 0; i < 3_000; i++) {
      assertSame(dialect, JsonWriter.bytes(schema(random, 4).with("type", "object")));
    }
  }

  @ParameterizedTest
  @EnumSource(Dialect.class)
  void howeverItWasWritten(Dialect dialect) {
    var spaced =
        """
        { "type" : "object", "properties" : {
            "a" : { "type" : "string", "description" : "with \\"quotes\\", \\u00e4, } and {" },
            "b\\"c" : { "type" : "array", "items" : { "type" : "string", "default" : "x" } },
            "d" : { "properties" : { } , "type" : "object" },
            "e" : { "required" : [ ], "type" : "object" } ,
            "f" : true
        } }
        """;
    assertSame(dialect, spaced.getBytes(StandardCharsets.UTF_8));
    assertSame(dialect, "{}".getBytes(StandardCharsets.UTF_8));
    var deep = "{'properties':{'a':".repeat(200) + "{'default':1}" + "}}".repeat(200);
    assertSame(dialect, deep.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  /** Any schema; what few schemas say, few of these do. */
  private static JsonObject schema(Random random, int depth) {
    var type = TYPES.get(random.nextInt(TYPES.size()));
    var schema = JsonObject.of("description", "It is <" + random.nextInt(9) + ">.", "type", type);
    if (depth > 0 && type.equals("object")) {
      schema =
          random.nextInt(3) == 0
              ? schema.with("additionalProperties", schema(random, depth - 1))
              : schema.with("properties", properties(random, depth - 1));
    }
    if (depth > 0 && type.equals("array") && random.nextInt(8) > 0) {
      schema = schema.with("items", schema(random, depth - 1));
    }
    return switch (random.nextInt(40)) {
      case 0 -> schema.with("default", JsonObject.of("a", 1));
      case 1 -> schema.with("nullable", true);
      case 2 -> schema.with("x-kubernetes-preserve-unknown-fields", true);
      case 3 -> schema.with("x-kubernetes-int-or-string", true).with("anyOf", EITHER);
      case 4 -> schema.with("x-kubernetes-int-or-string", true).without("type");
      case 5 -> schema.with("x-kubernetes-embedded-resource", true);
      case 6 -> schema.with("allOf", JsonArray.of(JsonObject.of("required", EITHER)));
      case 7 -> schema.with("not", JsonObject.of("pattern", "^a"));
      case 8 -> schema.with("enum", JsonArray.of(Json.of("a"), Json.of("b")));
      case 9 -> schema.with("x-kubernetes-list-type", "set");
      case 10 -> schema.with("additionalProperties", true);
      case 11 -> schema.with("required", JsonArray.EMPTY);
      case 12 -> schema.with("maximum", 3);
      case 13, 14, 15, 16 -> schema.with("required", JsonArray.ofStrings(List.of("a", "b")));
      default -> schema;
    };
  }

  private static JsonObject properties(Random random, int depth) {
    var properties = JsonObject.EMPTY;
    for (var name : List.of("a", "b", "kind", "metadata", "default", "items")) {
      if (random.nextBoolean()) {
        properties = properties.with(name, schema(random, depth));
      }
    }
    return properties;
  }
}
