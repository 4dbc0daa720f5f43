package dev.muster.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonDecimal;
import dev.muster.model.json.JsonInteger;
import dev.muster.model.json.JsonObject;
import dev.muster.testing.CpuTime;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonReaderTest {
  private static Json read(String text) {
    return JsonReader.read(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void keepsTheOrderOfKeysAndTellsIntegersFromDecimals() {
    var object = (JsonObject) read(" {\"z\":1,\"a\":[2.0,-3,1e3,null,true,false,\"é\"],\"o\":{}} ");
    assertThat(object.keys()).containsExactly("z", "a", "o");
    assertThat(object.get("z")).isEqualTo(new JsonInteger(1));
    assertThat(object.array("a").get(0)).isEqualTo(new JsonDecimal("2.0"));
    assertThat(object).hasToString("{\"z\":1,\"a\":[2.0,-3,1e3,null,true,false,\"é\"],\"o\":{}}");
  }

  @Test
  void integersOfSixtyFourBitsAreExactAndLargerOnesKeepTheirDigits() {
    assertThat(read("9223372036854775807")).isEqualTo(new JsonInteger(Long.MAX_VALUE));
    assertThat(read("-9223372036854775808")).isEqualTo(new JsonInteger(Long.MIN_VALUE));
    assertThat(read("9223372036854775808")).isEqualTo(new JsonDecimal("9223372036854775808"));
    assertThat(read("1" + "0".repeat(100_000))).isInstanceOf(JsonDecimal.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "`` | unexpected end of JSON input",
        "{ | unexpected end of JSON input",
        "{} {} | invalid character '{' after top-level value",
        "{\"a\":1, | unexpected end of JSON input",
        "[1 | unexpected end of JSON input",
        "\"abc | unexpected end of JSON input",
        "nope | invalid character 'o' in literal null (expecting 'u')",
        "this | invalid character 'h' in literal true (expecting 'r')",
        "{not json | invalid character 'n' looking for beginning of object key string",
        "{\"a\":1} x | invalid character 'x' after top-level value",
        "{\"a\" 1} | invalid character '1' after object key",
        "{\"a\":1 \"b\":2} | invalid character '\"' after object key:value pair",
        "[1 2] | invalid character '2' after array element",
        "[1,] | invalid character ']' looking for beginning of value",
        "{\"a\":1,} | invalid character '}' looking for beginning of object key string",
        "[01] | invalid character '1' after array element",
        "[-] | invalid character ']' in numeric literal",
        "[1.] | invalid character ']' after decimal point in numeric literal",
        "[1e] | invalid character ']' in exponent of numeric literal",
        "[\"\\x\"] | invalid character 'x' in string escape code",
        "[\"\\u12g4\"] | invalid character 'g' in \\u hexadecimal character escape",
        "data: 1 | invalid character 'd' looking for beginning of value",
        "'a' | invalid character '\\'' looking for beginning of value",
        "NaN | invalid character 'N' looking for beginning of value",
        "// x | invalid character '/' looking for beginning of value",
      })
  void refusesInTheWordsOfGo(String text, String message) {
    assertThatThrownBy(() -> read(text)).isInstanceOf(DecodeException.class).hasMessage(message);
  }

  @Test
  void refusesControlCharactersAndOtherEncodings() {
    assertThatThrownBy(() -> read("[\"a\nb\"]"))
        .hasMessage("invalid character '\\n' in string literal");
    assertThatThrownBy(() -> JsonReader.read("{\"a\":1}".getBytes(StandardCharsets.UTF_16LE)))
        .hasMessage("invalid character '\\x00' looking for beginning of object key string");
    assertThatThrownBy(() -> read("\uFEFF{}"))
        .hasMessage("invalid character 'ï' looking for beginning of value");
  }

  @Test
  void takesBrokenUtf8ForTheReplacementCharacter() {
    byte[] text = {'"', 'a', (byte) 0xff, 'b', '"'};
    assertThat(JsonReader.read(text).text()).isEqualTo("a\uFFFDb");
  }

  @Test
  void remembersWhichKeysWereRepeatedAndWhere() {
    var document =
        JsonReader.document(
            "{\"a\":1,\"b\":{\"c\":1,\"d\":2,\"c\":3},\"a\":4}".getBytes(StandardCharsets.UTF_8));
    var root = (JsonObject) document.value();
    assertThat(root).hasToString("{\"a\":4,\"b\":{\"c\":3,\"d\":2}}");
    assertThat(document.duplicates().in(root))
        .containsExactly(new Duplicates.Duplicate("a", 2, Json.of(1)));
    assertThat(document.duplicates().in(root.object("b")))
        .containsExactly(new Duplicates.Duplicate("c", 2, Json.of(1)));
    assertThat(document.duplicates().in(JsonObject.EMPTY)).isEmpty();
  }

  @Test
  void findsRepeatedKeysAmongMany() {
    var text = new StringBuilder("{");
    for (int i = 0; i < 100; i++) {
      text.append("\"k").append(i).append("\":").append(i).append(',');
    }
    var document =
        JsonReader.document(text.append("\"k7\":-7}").toString().getBytes(StandardCharsets.UTF_8));
    assertThat(((JsonObject) document.value()).integer("k7", 0)).isEqualTo(-7);
    assertThat(document.duplicates().in((JsonObject) document.value())).hasSize(1);
  }

  @Test
  void refusesDeepNestingAsSoonAsItIsTooDeep() {
    for (var opening : new String[] {"[", "{\"a\":", "[{\"a\":"}) {
      var tooDeep = opening.repeat(JsonReader.MAX_DEPTH + 1).getBytes(StandardCharsets.UTF_8);
      var bomb = opening.repeat(1_000_000).getBytes(StandardCharsets.UTF_8);
      CpuTime.assertAtMost(4, () -> refuses(tooDeep), () -> refuses(bomb));
    }
    assertThat(read("[".repeat(JsonReader.MAX_DEPTH) + "]".repeat(JsonReader.MAX_DEPTH)))
        .isNotNull();
  }

  private static void refuses(byte[] bomb) {
    assertThatThrownBy(() -> JsonReader.read(bomb)).hasMessageContaining("exceeded max depth");
  }

  @Test
  @Timeout(300)
  void keysChosenToCollideCostNoMoreThanOthers() {
    var colliding = manyKeys("Aa", "BB");
    var others = manyKeys("Ab", "cB");
    CpuTime.assertAtMost(
        8, () -> readAndFind(others, 1 << 16), () -> readAndFind(colliding, 1 << 16));
    var object = (JsonObject) read(colliding);
    assertThat(object.has("AaAaAaAaAaAaAaAaAaAaAaAaAaAaAaCC")).isFalse();
  }

  private static String manyKeys(String zero, String one) {
    var text = new StringBuilder("{");
    for (int i = 0; i < 1 << 16; i++) {
      text.append(i == 0 ? "\"" : ",\"");
      for (int bit = 0; bit < 16; bit++) {
        text.append(((i >> bit) & 1) == 0 ? zero : one);
      }
      text.append("\":1");
    }
    return text.append('}').toString();
  }

  private static void readAndFind(String text, int size) {
    var object = (JsonObject) read(text);
    assertThat(object.size()).isEqualTo(size);
    for (int i = 0; i < size; i += 97) {
      assertThat(object.indexOf(object.key(i))).isEqualTo(i);
    }
  }
}
