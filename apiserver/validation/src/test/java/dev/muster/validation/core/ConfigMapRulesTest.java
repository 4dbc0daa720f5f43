package dev.muster.validation.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.FieldError;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConfigMapRulesTest {
  private static final JsonObject PLAIN =
      JsonObject.of(
          "metadata",
          JsonObject.of("name", "fruit", "namespace", "shop", "resourceVersion", "1"),
          "data",
          JsonObject.of("pear", "green"));

  private static List<String> create(JsonObject object) {
    var errors = new ArrayList<FieldError>();
    ConfigMapRules.STRATEGY.validateCreate(object, errors);
    return errors.stream().map(FieldError::toString).toList();
  }

  private static List<String> update(JsonObject object, JsonObject old) {
    var errors = new ArrayList<FieldError>();
    ConfigMapRules.STRATEGY.validateUpdate(object, old, errors);
    return errors.stream().map(FieldError::toString).toList();
  }

  @Test
  void aPlainOneIsFine() {
    assertThat(create(PLAIN)).isEmpty();
    assertThat(update(PLAIN, PLAIN)).isEmpty();
  }

  @Test
  void keysHaveAForm() {
    assertThat(create(PLAIN.withAt(Json.of(""), "data", "a b")))
        .singleElement()
        .asString()
        .startsWith("data[a b]: Invalid value: \"a b\": a valid config key must consist of");
  }

  @Test
  void aKeyStandsInOneOfTheMapsOnly() {
    assertThat(create(PLAIN.with("binaryData", JsonObject.of("pear", "aGk="))))
        .containsExactly(
            "data[pear]: Invalid value: \"pear\": duplicate of key present in binaryData");
  }

  @Test
  void oneMebibyteIsTheLimit() {
    assertThat(create(PLAIN.with("data", JsonObject.of("a", "x".repeat(1 << 20))))).isEmpty();
    assertThat(create(PLAIN.with("data", JsonObject.of("a", "x".repeat((1 << 20) + 1)))))
        .containsExactly(": Too long: may not be more than 1048576 bytes");
  }

  @Test
  void anImmutableOneKeepsItsContent() {
    var old = PLAIN.with("immutable", true);
    assertThat(update(old.withAt(Json.of("red"), "data", "pear"), old))
        .containsExactly("data: Forbidden: field is immutable when `immutable` is set");
    assertThat(update(PLAIN, old))
        .containsExactly("immutable: Forbidden: field is immutable when `immutable` is set");
    assertThat(update(old.withAt(JsonObject.of("a", "b"), "metadata", "labels"), old)).isEmpty();
  }
}
