package dev.muster.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class JsonWriterTest {
  private static String write(Json value) {
    return new String(JsonWriter.bytes(value), StandardCharsets.UTF_8);
  }

  @Test
  void escapesWhatGoEscapes() {
    assertThat(write(Json.of("a<b>c&d\u2028\u2029\"\\\b\f\n\r\t\u0001\u007f/é😀")))
        .isEqualTo(
            "\"a\\u003cb\\u003ec\\u0026d\\u2028\\u2029\\\"\\\\\\b\\f\\n\\r\\t\\u0001\u007f/é😀\"");
  }

  @Test
  void writesHalfACharacterAsReplacement() {
    assertThat(write(Json.of("a\ud800b"))).isEqualTo("\"a\uFFFDb\"");
    assertThat(write(Json.of("a\udc00"))).isEqualTo("\"a\uFFFD\"");
  }

  @Test
  void writesNumbersAsTheyAre() {
    var text = "[0,9,10,-1,9223372036854775807,1.50,1e3]";
    assertThat(write(JsonReader.read(text.getBytes(StandardCharsets.UTF_8)))).isEqualTo(text);
  }

  @Test
  void whatIsWrittenReadsBackEqual() {
    var random = new Random(42);
    for (int round = 0; round < 500; round++) {
      var value = random(random, 0);
      assertThat(JsonReader.read(JsonWriter.bytes(value))).isEqualTo(value);
    }
  }

  /** Buffers are used again: by one thread at a time, and nobody sees what was in them before. */
  @Test
  void manyThreadsWriteAtATime() throws Exception {
    var value = random(new Random(7), 0);
    var large = Json.of("x".repeat(100_000));
    var expected = JsonWriter.bytes(value);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var all = new ArrayList<Future<byte[]>>();
      for (int i = 0; i < 2_000; i++) {
        boolean grows = i % 50 == 0;
        all.add(
            threads.submit(
                () -> {
                  if (grows) {
                    JsonWriter.bytes(large);
                  }
                  return JsonWriter.bytes(value);
                }));
      }
      for (var one : all) {
        assertThat(one.get()).isEqualTo(expected);
      }
    }
  }

  private static Json random(Random random, int depth) {
    return switch (random.nextInt(depth > 4 ? 3 : 5)) {
      case 0 -> Json.of(random.nextLong() >> random.nextInt(64));
      case 1 -> Json.of(random.nextBoolean());
      case 2 -> Json.of(text(random));
      case 3 -> {
        var items = new Json[random.nextInt(6)];
        for (int i = 0; i < items.length; i++) {
          items[i] = random(random, depth + 1);
        }
        yield JsonArray.of(items);
      }
      default -> {
        var object = JsonObject.builder();
        for (int i = random.nextInt(20); i > 0; i--) {
          object.put(text(random), random(random, depth + 1));
        }
        yield object.build();
      }
    };
  }

  private static String text(Random random) {
    var text = new StringBuilder();
    for (int i = random.nextInt(12); i > 0; i--) {
      int c = random.nextInt(random.nextBoolean() ? 0x80 : Character.MAX_CODE_POINT + 1);
      text.appendCodePoint(c >= 0xd800 && c <= 0xdfff ? 'x' : c);
    }
    return text.toString();
  }
}
