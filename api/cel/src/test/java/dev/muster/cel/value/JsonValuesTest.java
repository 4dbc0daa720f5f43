package dev.muster.cel.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonDecimal;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonValuesTest {
  private static final JsonObject TREE =
      JsonObject.of(
          "text",
          "t",
          "list",
          JsonArray.of(Json.of(1), new JsonDecimal("1.5"), Json.of(true), JsonNull.NULL));

  @Test
  void whatIsOnlyLookedAtComesBackAsItWas() {
    assertThat(JsonValues.toJson(JsonValues.of(TREE))).isSameAs(TREE);
  }

  @Test
  void membersAreFoundByTheirNames() {
    var map = (CelMap) JsonValues.of(TREE);
    assertThat(map.find("text")).isEqualTo("t");
    assertThat(map.find("none")).isNull();
    assertThat(map.find(1L)).isNull();
    var list = (CelList) JsonValues.of(TREE.array("list"));
    assertThat(list.get(0)).isEqualTo(1L);
    assertThat(list.get(1)).isEqualTo(1.5);
    assertThat(list.get(2)).isEqualTo(true);
    assertThat(list.get(3)).isEqualTo(CelNull.NULL);
  }

  @Test
  void whatAnExpressionMakesIsWritten() {
    var made =
        new StructValue(
            "Object",
            Map.of("spec", CelMap.of(Map.of("n", 3L)), "items", CelList.of(List.of(2.0, "x"))));
    assertThat(JsonValues.toJson(made))
        .isEqualTo(
            JsonObject.of(
                "spec",
                JsonObject.of("n", Json.of(3)),
                "items",
                JsonArray.of(Json.of(2), Json.of("x"))));
  }

  @Test
  void jsonHasNoNumbersAsKeys() {
    assertThatThrownBy(() -> JsonValues.toJson(CelMap.of(Map.of(1L, "x"))))
        .isInstanceOf(EvaluationException.class);
  }
}
