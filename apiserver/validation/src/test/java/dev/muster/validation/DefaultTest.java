package dev.muster.validation;

import static dev.muster.validation.Default.all;
import static dev.muster.validation.Default.copy;
import static dev.muster.validation.Default.each;
import static dev.muster.validation.Default.in;
import static dev.muster.validation.Default.make;
import static dev.muster.validation.Default.nonZero;
import static dev.muster.validation.Default.value;
import static dev.muster.validation.Default.when;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import org.junit.jupiter.api.Test;

class DefaultTest {
  private static final Default FILL =
      all(
          value("color", "green"),
          nonZero("count", 3),
          make("made", value("a", 1)),
          in("inside", value("b", true)),
          each("list", value("kind", "x"), copy("alias", "kind")),
          when(object -> object.string("color").equals("red"), value("ripe", true)));

  @Test
  void fillsWhatIsLeftOut() {
    var object =
        JsonObject.of(
            "count", 0, "inside", JsonObject.EMPTY, "list", JsonArray.of(JsonObject.EMPTY));
    assertThat(FILL.apply(object))
        .hasToString(
            "{\"count\":3,\"inside\":{\"b\":true},\"list\":[{\"kind\":\"x\",\"alias\":\"x\"}],"
                + "\"color\":\"green\",\"made\":{\"a\":1}}");
  }

  @Test
  void leavesACompleteObjectAsItIs() {
    var filled = FILL.apply(JsonObject.of("color", "red"));
    assertThat(filled.isTrue("ripe")).isTrue();
    assertThat(FILL.apply(filled)).isSameAs(filled);
  }
}
