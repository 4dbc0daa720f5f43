package dev.muster.server.answers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonBool;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.wire.JsonReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Definitions of any shape, from a seed: each is taken or refused by a Status that is not about the
 * server, objects of those that are taken as well, and the next request finds the server as it was.
 * {@code -Dmuster.fuzz.runs=N} tries more of them.
 */
@Tag("slow")
class HostileDefinitionsTest {
  private static final String DEFINITIONS =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  private static final int RUNS = Integer.getInteger("muster.fuzz.runs", 40);

  private static final List<String> RULES =
      List.of(
          "self.all(a, self.all(b, self.all(c, self.all(d, true))))",
          "self.map(a, self.map(b, self.map(c, a + b + c))).size() > 0",
          "[1,2,3].map(a, [1,2,3].map(b, [1,2,3].map(c, 'x'))).size() == 3",
          "(self + self + self + self).matches('(a+)+$')",
          "'x'.replace('', 'yyyyyyyyyyyyyyyyyyyy').replace('', 'zzzzzzzzzzzzzzzz').size() > 0",
          "self.matches('(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)!')",
          "self.matches('(a{1000}){1000}')",
          "oldSelf == self && oldSelf.all(x, x in self)",
          "self == self || self < self",
          "has(self.spec.a.b.c.d.e)",
          "duration('9999999999999h') < duration('1s')",
          "1 / 0 == 1",
          "[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]].size() == 1",
          "((((((((((((((((((((((((((((((((true))))))))))))))))))))))))))))))))",
          "!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!true",
          "self.spec.",
          "\u0000",
          "quantity('1e999999999') == quantity('1')",
          "'%s%s%s'.format([self, self, self]).size() > 1");

  private static final List<String> PATTERNS =
      List.of(
          "(a+)+$",
          "(a|a)*b",
          "^(([a-z])+.)+[A-Z]([a-z])+$",
          "(x{500}){500}",
          "[",
          "(?=a)",
          "\\1",
          "a{1,100000}",
          "(((((((((((((((((((((a))))))))))))))))))))*",
          "(.*)*x");

  private static final List<String> PATHS =
      List.of(
          ".spec.a",
          "..a",
          ".spec[?(@.a==@.b)].c",
          ".spec[*][*][*][*][*][*]",
          ".[",
          "{.a}",
          ".a[-1:1:0]",
          "..*..*..*..*",
          ".a[0:99999999999]",
          ".spec['a','b']",
          "$",
          "",
          ".a[?(@.b=~/(a+)+$/)]");

  private RunningServer server;
  private int next;

  @BeforeEach
  void start(@TempDir Path directory) throws IOException, GeneralSecurityException {
    server = RunningServer.start(directory);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static Json read(String json) {
    return JsonReader.read(json.getBytes(StandardCharsets.UTF_8));
  }

  private static <T> T any(Random random, List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  /** A schema that is right in most places. */
  private static JsonObject schema(Random random, int depth) {
    var type =
        any(random, List.of("object", "object", "array", "string", "integer", "number", "boolean"));
    var schema = JsonObject.of("type", depth == 0 && type.equals("array") ? "string" : type);
    switch (schema.string("type")) {
      case "object" -> {
        var properties = JsonObject.EMPTY;
        for (int i = random.nextInt(4); i >= 0 && depth > 0; i--) {
          properties = properties.with("p" + i, schema(random, depth - 1));
        }
        schema = schema.with("properties", properties);
      }
      case "array" ->
          schema = schema.with("items", schema(random, depth - 1)).with("maxItems", Json.of(10));
      case "string" -> {
        if (random.nextInt(3) == 0) {
          schema = schema.with("pattern", any(random, PATTERNS));
        }
        if (random.nextInt(4) == 0) {
          schema = schema.with("format", any(random, List.of("email", "uri", "duration", "x")));
        }
      }
      default -> {}
    }
    if (random.nextInt(4) == 0) {
      schema =
          schema.with(
              "x-kubernetes-validations", JsonArray.of(JsonObject.of("rule", any(random, RULES))));
    }
    return random.nextInt(5) == 0 ? mutated(schema, random) : schema;
  }

  private static JsonObject mutated(JsonObject schema, Random random) {
    var field =
        any(
            random,
            List.of(
                "type",
                "items",
                "properties",
                "default",
                "enum",
                "$ref",
                "not",
                "anyOf",
                "oneOf",
                "required",
                "additionalProperties",
                "nullable",
                "x-kubernetes-list-type",
                "x-kubernetes-list-map-keys",
                "x-kubernetes-map-type",
                "maxLength",
                "multipleOf",
                "x-kubernetes-int-or-string",
                "x-kubernetes-preserve-unknown-fields",
                "x-kubernetes-embedded-resource",
                "x-kubernetes-validations",
                "pattern"));
    var value =
        switch (random.nextInt(9)) {
          case 0 -> JsonNull.NULL;
          case 1 -> JsonBool.TRUE;
          case 2 -> Json.of(random.nextLong());
          case 3 -> Json.of("#/definitions/x");
          case 4 -> JsonArray.of(schema, schema);
          case 5 -> schema;
          case 6 -> read("[\"map\",null,{\"rule\":5},1e400]");
          case 7 -> JsonObject.of("a", schema);
          default -> Json.of("map");
        };
    return schema.with(field, value);
  }

  private JsonObject definition(JsonObject schema, String column) {
    var plural = "things" + next++;
    var version =
        JsonObject.of(
            "name",
            "v1",
            "served",
            JsonBool.TRUE,
            "storage",
            JsonBool.TRUE,
            "additionalPrinterColumns",
            JsonArray.of(JsonObject.of("name", "C", "type", "string", "jsonPath", column)),
            "schema",
            JsonObject.of("openAPIV3Schema", schema));
    return JsonObject.of(
        "apiVersion",
        "apiextensions.k8s.io/v1",
        "kind",
        "CustomResourceDefinition",
        "metadata",
        JsonObject.of("name", plural + ".example.com"),
        "spec",
        JsonObject.of(
            "group",
            "example.com",
            "scope",
            "Cluster",
            "names",
            JsonObject.of("plural", plural, "kind", "Thing" + next),
            "versions",
            JsonArray.of(version)));
  }

  /** Whether it was taken; it is not there any more afterwards. */
  private boolean isTaken(JsonObject definition, String what) {
    var made = server.post(DEFINITIONS, definition.toString());
    isAnAnswer(made, what);
    if (made.code() == 201) {
      var spec = made.object().object("spec");
      var path = "/apis/example.com/v1/" + spec.object("names").string("plural");
      for (var body : List.of("{}", "{\"p0\":\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!\",\"p1\":[[[]]]}")) {
        var object =
            ((JsonObject) read(body))
                .with("apiVersion", "example.com/v1")
                .with("kind", spec.object("names").string("kind"))
                .with("metadata", JsonObject.of("generateName", "x-"));
        isAnAnswer(server.post(path, object.toString()), what);
      }
      var table = "application/json;as=Table;g=meta.k8s.io;v=v1";
      isAnAnswer(server.send("GET", path, "", table, new byte[0]), what);
      assertThat(server.delete(DEFINITIONS + "/" + name(definition), "").code()).isEqualTo(200);
    }
    return made.code() == 201;
  }

  private static String name(JsonObject object) {
    return object.object("metadata").string("name");
  }

  /** A refusal is the client's doing, and nobody else notices. */
  private void isAnAnswer(RunningServer.Answer answer, String what) {
    assertThat(answer.code()).as("%s: %s", what, answer.text()).isBetween(200, 499);
    assertThat(server.get("/api/v1/namespaces/default").code()).as(what).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void schemasOfAnyShape(long seed) {
    var random = new Random(seed);
    int taken = 0;
    for (int i = 0; i < RUNS; i++) {
      var root = schema(random, 4).with("type", "object");
      var definition = definition(root, random.nextInt(3) == 0 ? any(random, PATHS) : ".spec");
      taken += isTaken(definition, "seed " + seed + ", run " + i + ": " + root) ? 1 : 0;
    }
    assertThat(taken).as("definitions that were taken").isPositive();
  }

  @Test
  void rulesOfAnyKind() {
    for (var rule : RULES) {
      for (var type :
          List.of(
              "{\"type\":\"string\"}", "{\"type\":\"array\",\"items\":{\"type\":\"string\"}}")) {
        var field =
            ((JsonObject) read(type))
                .with(
                    "x-kubernetes-validations",
                    JsonArray.of(JsonObject.of("rule", rule, "messageExpression", rule)));
        var root = JsonObject.of("type", "object", "properties", JsonObject.of("p0", field));
        isTaken(definition(root, ".p0"), rule);
      }
    }
  }

  @Test
  void columnsOfAnyKind() {
    for (var path : PATHS) {
      isTaken(definition(JsonObject.of("type", "object"), path), path);
    }
  }

  private static JsonObject deep(String way, int depth) {
    var schema = JsonObject.of("type", "string");
    for (int i = 0; i < depth; i++) {
      schema =
          switch (way) {
            case "properties" -> JsonObject.of("type", "object", way, JsonObject.of("a", schema));
            case "items" -> JsonObject.of("type", "array", way, schema);
            case "allOf" -> JsonObject.of("type", "object", way, JsonArray.of(schema));
            default -> JsonObject.of("type", "object", way, schema);
          };
    }
    return root(schema);
  }

  /** A schema with one field. */
  private static JsonObject root(JsonObject field) {
    return JsonObject.of("type", "object", "properties", JsonObject.of("p0", field));
  }

  private static JsonObject ruled(String rule) {
    var rules = JsonArray.of(JsonObject.of("rule", rule));
    return root(JsonObject.of("type", "string", "x-kubernetes-validations", rules));
  }

  @ParameterizedTest
  @ValueSource(strings = {"properties", "items", "not", "allOf", "additionalProperties"})
  void whatIsVeryDeep(String way) {
    for (int depth : new int[] {300, 2_000}) {
      isTaken(definition(deep(way, depth), ".p0"), way + " " + depth);
    }
  }

  @Test
  void whatIsVeryLong() {
    var many = new ArrayList<Json>();
    for (int i = 0; i < 50_000; i++) {
      many.add(Json.of("value-" + i));
    }
    var values = JsonObject.of("type", "string", "enum", JsonArray.of(many));
    isTaken(definition(root(values), ".p0"), "many values");
    isTaken(definition(ruled("true || ".repeat(5_000) + "true"), ".p0"), "a long rule");
    isTaken(definition(ruled("(".repeat(5_000) + ")".repeat(5_000)), ".p0"), "parentheses");
    isTaken(definition(ruled("!".repeat(20_000) + "true"), ".p0"), "negations");
    isTaken(definition(ruled("[".repeat(5_000) + "]".repeat(5_000)), ".p0"), "brackets");
  }
}
