package dev.muster.validation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.FieldError;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FieldCursorTest {
  private static List<String> check(Rule rule, JsonObject object, @Nullable JsonObject old) {
    var errors = new ArrayList<FieldError>();
    rule.check(FieldCursor.of(object, old, errors));
    return errors.stream().map(FieldError::toString).toList();
  }

  @Test
  void pathsNameFieldsIndexesAndKeys() {
    var object =
        JsonObject.of(
            "spec",
            JsonObject.of("list", JsonArray.of(JsonObject.of("map", JsonObject.of("a b", 1)))));
    var rule =
        Rules.field(
            "spec", Rules.each("list", Rules.field("map", Rules.entries(FieldChecks.range(2, 3)))));
    assertThat(check(rule, object, null))
        .containsExactly(
            "spec.list[0].map[a b]: Invalid value: 1: must be between 2 and 3, inclusive");
  }

  @Test
  void nullCountsAsAbsent() {
    assertThat(check(Rules.required("a", "must be set"), JsonObject.of("a", JsonNull.NULL), null))
        .containsExactly("a: Required value: must be set");
  }

  @Test
  void stepsStopAtTheFirstError() {
    var rule =
        Rules.steps(
            Rules.field("a", FieldChecks.oneOf("x")),
            Rules.field("b", FieldChecks.required()),
            Rules.field("c", FieldChecks.required()));
    assertThat(check(rule, JsonObject.of("a", "x"), null)).containsExactly("b: Required value");
    assertThat(check(rule, JsonObject.of("a", "y"), null))
        .containsExactly("a: Unsupported value: \"y\": supported values: \"x\"");
  }

  @Test
  void immutableFieldsAreComparedWithTheOldObject() {
    var rule = Rules.field("a", FieldChecks.immutable());
    var old = JsonObject.of("a", "x");
    assertThat(check(rule, old, old)).isEmpty();
    assertThat(check(rule, JsonObject.of("a", "y"), old))
        .containsExactly("a: Invalid value: \"y\": field is immutable");
    assertThat(check(rule, JsonObject.EMPTY, old))
        .containsExactly("a: Invalid value: null: field is immutable");
    assertThat(check(rule, JsonObject.of("a", "y"), null)).isEmpty();
  }

  @Test
  void uniqueListsRefuseTheSecond() {
    var list =
        JsonArray.of(JsonObject.of("name", "a"), JsonObject.EMPTY, JsonObject.of("name", "a"));
    assertThat(check(Rules.field("l", FieldChecks.unique("name")), JsonObject.of("l", list), null))
        .containsExactly("l[2].name: Duplicate value: \"a\"");
  }
}
