package dev.muster.server.answers;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonBool;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonNumber;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import dev.muster.schema.ListShape;
import dev.muster.schema.MapShape;
import dev.muster.schema.Scalar;
import dev.muster.schema.Shape;
import dev.muster.schema.StructShape;
import dev.muster.wire.JsonReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/** Values at random: mostly such as a schema allows, some such as nobody expects. */
final class RandomValues {
  private static final int DEEPEST = 9;

  private static final List<String> TEXTS =
      List.of(
          "",
          "a",
          "b",
          "app",
          "web-1",
          "example.com/thing",
          "Always",
          "TCP",
          "80",
          "None",
          "10.0.0.1",
          "fd00::1",
          "10.0.0.0/8",
          "*",
          "*.example.com",
          "/",
          "/var/../etc",
          "ns/name/more",
          "A_B",
          "x".repeat(64),
          "x".repeat(300),
          "ü".repeat(10),
          "\u0000",
          "\ud83d\ude00",
          "a,b in (c)",
          "a==b",
          "!",
          "$(VAR)",
          "{{",
          "%",
          "0 0 * * *",
          "2024-01-02T03:04:05Z",
          "1Gi",
          "50%",
          "true",
          "null",
          "~",
          "- x",
          "Zm9v");

  private static final List<String> QUANTITIES =
      List.of(
          "1",
          "0",
          "-1",
          "100m",
          "1Gi",
          "1e3",
          "1E",
          "0.5",
          "1.5Ki",
          "9223372036854775807",
          "1e99",
          "1e-99",
          "1n",
          "",
          "1x",
          "1e999999999",
          "0.000000000000000001");

  private static final List<String> NUMBERS =
      List.of(
          "0",
          "1",
          "-1",
          "2147483647",
          "2147483648",
          "-9223372036854775808",
          "9223372036854775808",
          "1.5",
          "1e3",
          "1e400",
          "0.1e-400",
          "123456789012345678901234567890");

  private final RandomGenerator random;

  RandomValues(RandomGenerator random) {
    this.random = random;
  }

  private <T> T any(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  /** A value of that shape, except where it is not. */
  Json of(Shape shape, int depth) {
    if (random.nextInt(120) == 0) {
      return anything(depth);
    }
    return switch (shape) {
      case StructShape struct -> struct(struct, depth);
      case ListShape list -> {
        var items = new ArrayList<Json>();
        for (int i = depth > DEEPEST ? 0 : random.nextInt(3); i > 0; i--) {
          items.add(of(list.items(), depth + 1));
        }
        yield JsonArray.of(items);
      }
      case MapShape map -> {
        var members = JsonObject.builder();
        for (int i = depth > DEEPEST ? 0 : random.nextInt(3); i > 0; i--) {
          members.put(any(TEXTS), of(map.values(), depth + 1));
        }
        yield members.build();
      }
      case Scalar scalar -> scalar(scalar, depth);
    };
  }

  private Json struct(StructShape struct, int depth) {
    var members = JsonObject.builder();
    int share = depth < 2 ? 60 : depth > DEEPEST ? 0 : 35;
    for (var field : struct.fields()) {
      int wanted = field.required() ? Math.max(share, 80) : share;
      if (random.nextInt(100) < wanted && depth <= DEEPEST + 3) {
        members.put(field.name(), of(field.shape(), depth + 1));
      }
    }
    if (random.nextInt(40) == 0) {
      members.put(any(TEXTS), anything(depth));
    }
    return members.build();
  }

  private Json scalar(Scalar scalar, int depth) {
    return switch (scalar) {
      case STRING -> Json.of(any(TEXTS));
      case BOOLEAN -> Json.of(random.nextBoolean());
      case INT32, INT64 -> random.nextInt(4) == 0 ? number() : Json.of(random.nextInt(-2, 400));
      case DOUBLE -> number();
      case BYTES -> Json.of(random.nextInt(5) == 0 ? any(TEXTS) : "Zm9vYmFy");
      case TIME, MICRO_TIME ->
          Json.of(random.nextInt(5) == 0 ? any(TEXTS) : "2024-01-02T03:04:05.000001Z");
      case DURATION -> Json.of(random.nextInt(5) == 0 ? any(TEXTS) : "1m30s");
      case QUANTITY -> Json.of(any(QUANTITIES));
      case INT_OR_STRING ->
          random.nextBoolean() ? Json.of(random.nextInt(-2, 70_000)) : Json.of(any(TEXTS));
      case ANY, FIELDS_V1, SCHEMA_OR_ARRAY, SCHEMA_OR_BOOL, SCHEMA_OR_STRINGS -> anything(depth);
    };
  }

  private Json number() {
    return JsonReader.read(any(NUMBERS).getBytes(StandardCharsets.UTF_8));
  }

  Json anything(int depth) {
    return switch (random.nextInt(depth > DEEPEST ? 5 : 8)) {
      case 0 -> JsonNull.NULL;
      case 1 -> Json.of(random.nextBoolean());
      case 2 -> number();
      case 3 -> Json.of(any(TEXTS));
      case 4 -> Json.of(any(QUANTITIES));
      case 5 -> JsonArray.of(anything(depth + 1), anything(depth + 1));
      case 6 -> JsonObject.of(any(TEXTS), anything(depth + 1));
      default -> JsonArray.EMPTY;
    };
  }

  /** The tree with one value replaced, removed or repeated somewhere. */
  Json mutated(Json value) {
    return switch (value) {
      case JsonObject object when !object.isEmpty() && random.nextInt(6) > 0 -> {
        int at = random.nextInt(object.size());
        yield switch (random.nextInt(8)) {
          case 0 -> object.without(object.key(at));
          case 1 -> object.with(any(TEXTS), object.value(at));
          default -> object.with(object.key(at), mutated(object.value(at)));
        };
      }
      case JsonArray array when !array.isEmpty() && random.nextInt(6) > 0 -> {
        int at = random.nextInt(array.size());
        yield random.nextInt(6) == 0
            ? array.plus(array.get(at))
            : array.with(at, mutated(array.get(at)));
      }
      default -> random.nextInt(5) == 0 ? anything(6) : alike(value);
    };
  }

  /** Another value of the same type. */
  private Json alike(Json value) {
    return switch (value) {
      case JsonString ignored -> Json.of(any(random.nextInt(4) == 0 ? QUANTITIES : TEXTS));
      case JsonNumber ignored ->
          random.nextInt(4) == 0 ? number() : Json.of(random.nextInt(-2, 70_000));
      case JsonBool bool -> Json.of(!bool.value());
      case JsonArray ignored -> JsonArray.EMPTY;
      case JsonObject ignored -> JsonObject.EMPTY;
      case JsonNull ignored -> anything(6);
    };
  }

  /** The bytes with some of them changed, doubled, moved or cut off. */
  byte[] mutated(byte[] bytes) {
    if (bytes.length == 0) {
      return new byte[] {(byte) random.nextInt(256)};
    }
    var changed = bytes.clone();
    for (int i = random.nextInt(4); i >= 0; i--) {
      int at = random.nextInt(changed.length);
      switch (random.nextInt(4)) {
        case 0 -> changed[at] = (byte) random.nextInt(256);
        case 1 -> changed[at] ^= (byte) (1 << random.nextInt(8));
        case 2 -> changed = Arrays.copyOf(changed, Math.max(1, at));
        default -> {
          int length = Math.min(random.nextInt(1, 40), changed.length - at);
          System.arraycopy(
              changed, at, changed, random.nextInt(changed.length - length + 1), length);
        }
      }
    }
    return changed;
  }
}
