package dev.muster.validation;

import static dev.muster.validation.core.Verdicts.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DifferenceTest {
  @Test
  void namesEachFieldThatIsGoneOrNew() {
    assertThat(
            Difference.between(
                json("{'a':1,'b':{'c':'x','d':true},'e':[{'f':1},2]}"),
                json("{'b':{'c':'y','d':true},'e':[{'f':1,'g':2},2,3],'h':null}")))
        .isEqualTo(
            """

            - a: 1
            - b.c: "x"
            + b.c: "y"
            + e[0].g: 2
            + e[2]: 3
            + h: null\
            """);
  }

  @Test
  void saysNothingOfEqualValues() {
    assertThat(Difference.between(json("{'a':1,'b':2}"), json("{'b':2,'a':1}"))).isEqualTo("\n");
  }

  @Test
  void staysShort() {
    var many =
        JsonArray.of(
            IntStream.range(0, 50_000).mapToObj(i -> Json.of("x".repeat(i % 300))).toList());
    assertThat(Difference.between(JsonObject.of("a", JsonArray.EMPTY), JsonObject.of("a", many)))
        .hasLineCount(22)
        .endsWith("\n…")
        .hasSizeLessThan(5_000);
    assertThat(Difference.between(null, Json.of("y".repeat(1_000_000))))
        .hasSizeLessThan(300)
        .endsWith("y…");
  }
}
