package dev.muster.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonDecimal;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CborTest {
  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text);
  }

  private static final JsonObject SAMPLE =
      JsonObject.of(
          "kind",
          "ConfigMap",
          "n",
          JsonArray.of(
              Json.of(0),
              Json.of(23),
              Json.of(24),
              Json.of(256),
              Json.of(65536),
              Json.of(Long.MAX_VALUE),
              Json.of(-1),
              Json.of(Long.MIN_VALUE),
              new JsonDecimal("1.5"),
              new JsonDecimal("0.1"),
              new JsonDecimal("16777216.5"),
              Json.of(true),
              JsonNull.NULL,
              Json.of("é😀")),
          "empty",
          JsonObject.EMPTY);

  @Test
  void writesTextsAsByteStringsAndKeysInOrder() {
    assertThat(CborWriter.bytes(JsonObject.of("bb", 1, "a", "x")))
        .isEqualTo(hex("d9d9f7a241614178426262" + "01"));
  }

  @Test
  void whatIsWrittenReadsBackEqual() {
    assertThat(CborReader.read(CborWriter.bytes(SAMPLE))).isEqualTo(SAMPLE);
  }

  @ParameterizedTest
  @CsvSource({
    "a1616101, '{\"a\":1}'",
    "bf61619f0102ffff, '{\"a\":[1,2]}'",
    "d64401020304, '\"AQIDBA==\"'",
    "d7420aff, '\"0AFF\"'",
    "f93e00, 1.5",
    "fa47c35000, 100000",
    "c074323031332d30332d32315432303a30343a30305a, '\"2013-03-21T20:04:00Z\"'",
    "5f42616241 63ff, '\"abc\"'",
  })
  void readsWhatOthersWrite(String cbor, String json) {
    assertThat(CborReader.read(hex(cbor.replace(" ", "")))).hasToString(json);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "a1",
        "a10102",
        "a2616101616102",
        "c249010000000000000000",
        "f97e00",
        "f7",
        "61ff",
        "1bffffffffffffffff",
        "9a7fffffff",
        "5b7fffffffffffffff",
        "0101",
        "ff",
        "1c"
      })
  void refusesWhatJsonCannotHold(String cbor) {
    assertThatThrownBy(() -> CborReader.read(hex(cbor))).isInstanceOf(DecodeException.class);
  }

  @Test
  void refusesDeepNestingAndSurvivesDamage() {
    var deep = new byte[100_000];
    for (byte head : new byte[] {(byte) 0x81, (byte) 0x9f, (byte) 0xc6}) {
      Arrays.fill(deep, head);
      assertThatThrownBy(() -> CborReader.read(deep)).hasMessageContaining("max nested level");
    }
    var good = CborWriter.bytes(SAMPLE);
    var random = new Random(1);
    for (int round = 0; round < 2_000; round++) {
      var bytes = good.clone();
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      try {
        CborReader.read(bytes);
      } catch (DecodeException expected) {
        assertThat(expected.text()).isNotEmpty();
      }
    }
  }
}
