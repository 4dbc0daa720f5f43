package dev.muster.wire.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.wire.DecodeException;
import dev.muster.wire.JsonWriter;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FlowTabsTest {
  private static String json(String yaml) {
    return new String(
        JsonWriter.bytes(YamlReader.read(yaml.getBytes(StandardCharsets.UTF_8))),
        StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\n\t\"a\": {\n\t\t \"b\": \"c\"\n\t}\n}",
        "{\"a\":\t {\"b\"\t : \t\"c\"}}",
        "{a: {b: c \t}}",
        "{ # it's\t a comment\n\t a: {'b': \t 'c'}}",
      })
  void standBetweenTokensAsSpacesDo(String yaml) {
    assertThat(json(yaml)).isEqualTo("{\"a\":{\"b\":\"c\"}}");
  }

  @Test
  void stayInTexts() {
    assertThat(json("{\"a\":\t \"b\\\"\t c\", 'd':\t 'it''s\t e', f: don't\t stop}"))
        .isEqualTo("{\"a\":\"b\\\"\\t c\",\"d\":\"it's\\t e\",\"f\":\"don't\\t stop\"}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a:\n\t b: c", "\t {\"a\": \"b\"}"})
  void doNotIndentBlocks(String yaml) {
    assertThatThrownBy(() -> json(yaml))
        .isInstanceOf(DecodeException.class)
        .hasMessageContaining("cannot start any token");
  }

  @Test
  void stayInBlocks() {
    assertThat(json("a: |\n  {\t x\n")).isEqualTo("{\"a\":\"{\\t x\\n\"}");
  }
}
