package dev.muster.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The scanner and the parser see the same in the same bytes. */
class JsonScannerFuzzTest {
  private static final int ROUNDS = 2_000;
  private static final String[] KEYS = {
    "a", "bc", "metadata", "resourceVersion", "a-long-key.of/x"
  };
  private static final String[] TEXTS = {
    "",
    "x",
    "seven77",
    "eight888",
    "nine99999",
    "\"",
    "\\",
    "a\\\"b",
    "\n\t\u0001",
    "ä€😀",
    "},{\":["
  };

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void everyValueOfATreeIsFoundInItsBytes(long seed) {
    var random = new Random(seed);
    for (int i = 0; i < ROUNDS; i++) {
      var tree = object(random, 4);
      var compact = JsonWriter.bytes(tree);
      holdsAll(compact, tree);
      holdsAll(spaced(compact, random), tree);
      assertThat(JsonScanner.afterCompactValue(compact, 0, compact.length))
          .isEqualTo(compact.length);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {4, 5})
  void leavingAKeyOutIsWhatItIsInATree(long seed) {
    var random = new Random(seed);
    for (int i = 0; i < ROUNDS; i++) {
      var tree = object(random, 4);
      var bytes = JsonWriter.bytes(tree);
      var text = random.nextBoolean() ? bytes : spaced(bytes, random);
      assertThat(JsonReader.read(JsonScanner.without(text, "bc"))).isEqualTo(without(tree, "bc"));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {9, 10})
  void indentedJsonIsTheSameWhateverPiecesItComesIn(long seed) {
    var random = new Random(seed);
    for (int i = 0; i < ROUNDS; i++) {
      var tree = object(random, 4);
      var compact = JsonWriter.bytes(tree);
      var whole = JsonIndent.of(compact);
      assertThat(JsonReader.read(whole)).isEqualTo(tree);
      var indent = new JsonIndent();
      var out = new Bytes(16);
      int at = 0;
      while (at < compact.length) {
        int to = Math.min(compact.length, at + 1 + random.nextInt(9));
        at += indent.add(compact, at, to, out, out.size() + 1 + random.nextInt(20));
      }
      assertThat(out.toArray()).isEqualTo(whole);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {6, 7, 8})
  void textThatIsNoJsonIsPassedOrRefusedButEnds(long seed) {
    var random = new Random(seed);
    for (int i = 0; i < ROUNDS; i++) {
      var bytes = JsonWriter.bytes(object(random, 4));
      var broken = Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
      for (int j = random.nextInt(4); j > 0 && broken.length > 0; j--) {
        broken[random.nextInt(broken.length)] = (byte) "{}[]\",:\\ x1".charAt(random.nextInt(11));
      }
      try {
        JsonScanner.string(broken, "metadata", "a");
        JsonScanner.without(broken, "a");
        JsonScanner.afterCompactValue(broken, 0, broken.length);
      } catch (DecodeException refused) {
        assertThat(refused.text()).isNotEmpty();
      }
    }
  }

  private static void holdsAll(byte[] text, JsonObject tree, String... path) {
    for (var key : KEYS) {
      var below = Arrays.copyOf(path, path.length + 1);
      below[path.length] = key;
      int start = JsonScanner.find(text, below);
      var value = tree.get(key);
      if (value == null) {
        assertThat(start).isEqualTo(-1);
        continue;
      }
      int end = JsonScanner.afterValue(text, start, text.length);
      assertThat(JsonReader.document(text, start, end - start).value()).isEqualTo(value);
      var string = value.text();
      assertThat(JsonScanner.string(text, below)).isEqualTo(string == null ? "" : string);
      if (value instanceof JsonObject object) {
        holdsAll(text, object, below);
      }
    }
  }

  private static Json value(Random random, int depth) {
    return switch (random.nextInt(depth > 0 ? 8 : 5)) {
      case 0 -> JsonNull.NULL;
      case 1 -> Json.of(random.nextBoolean());
      case 2 -> JsonReader.read(number(random).getBytes(StandardCharsets.US_ASCII));
      case 3, 4 -> Json.of(text(random));
      case 5 -> array(random, depth - 1);
      default -> object(random, depth - 1);
    };
  }

  private static String number(Random random) {
    return random.nextBoolean() ? Integer.toString(random.nextInt()) : random.nextInt(9) + ".5e-3";
  }

  private static String text(Random random) {
    return TEXTS[random.nextInt(TEXTS.length)] + TEXTS[random.nextInt(TEXTS.length)];
  }

  private static JsonArray array(Random random, int depth) {
    List<Json> items = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      items.add(value(random, depth));
    }
    return JsonArray.of(items);
  }

  private static JsonObject object(Random random, int depth) {
    var object = JsonObject.EMPTY;
    for (var key : KEYS) {
      if (random.nextInt(5) < 3) {
        object = object.with(key, value(random, depth));
      }
    }
    return object;
  }

  private static Json without(Json value, String key) {
    return switch (value) {
      case JsonObject object -> {
        var rest = JsonObject.EMPTY;
        for (var each : object.keys()) {
          var member = object.get(each);
          if (!each.equals(key) && member != null) {
            rest = rest.with(each, without(member, key));
          }
        }
        yield rest;
      }
      case JsonArray array -> array.map(item -> without(item, key));
      default -> value;
    };
  }

  /** The same JSON with spaces between its tokens. */
  private static byte[] spaced(byte[] compact, Random random) {
    var out = new ByteArrayOutputStream();
    boolean inText = false;
    for (int i = 0; i < compact.length; i++) {
      byte b = compact[i];
      if (!inText && "{}[]:,\"".indexOf(b) >= 0) {
        out.writeBytes(" \n\t\r ".substring(random.nextInt(5)).getBytes(StandardCharsets.US_ASCII));
      }
      out.write(b);
      if (inText && b == '\\') {
        out.write(compact[++i]);
      } else if (b == '"') {
        inText = !inText;
      }
    }
    return out.toByteArray();
  }
}
