package dev.muster.validation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.validation.FieldError;
import dev.muster.validation.core.Verdicts;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConditionsTest {
  private static final String GOOD =
      "{'type':'Ready','status':'True','reason':'Fine','lastTransitionTime':'2026-01-01T00:00:00Z'}";

  private static List<String> errors(String conditions) {
    var errors = new ArrayList<FieldError>();
    var object = Verdicts.json("{'conditions':[" + conditions + "]}");
    Conditions.check(FieldCursor.of(object, null, errors).at("conditions"));
    return errors.stream().map(FieldError::toString).toList();
  }

  @Test
  void aConditionSaysWhatIsSoSinceWhenAndWhy() {
    assertThat(errors(GOOD)).isEmpty();
    assertThat(errors("{'type':'Ready','status':'Maybe','observedGeneration':-1}"))
        .containsExactly(
            "conditions[0].status: Unsupported value: \"Maybe\": supported values: \"False\","
                + " \"True\", \"Unknown\"",
            "conditions[0].observedGeneration: Invalid value: -1: must be greater than or equal to"
                + " zero",
            "conditions[0].lastTransitionTime: Required value",
            "conditions[0].reason: Required value");
  }

  @Test
  void thereIsOneOfEachType() {
    assertThat(errors(GOOD + "," + GOOD))
        .containsExactly("conditions[1].type: Duplicate value: \"Ready\"");
  }

  @Test
  void reasonsAreWords() {
    assertThat(errors(GOOD.replace("Fine", "not fine")))
        .singleElement()
        .asString()
        .startsWith(
            "conditions[0].reason: Invalid value: \"not fine\": a condition reason must start with"
                + " alphabetic character");
    assertThat(errors(GOOD.replace("Fine", "F".repeat(1025))))
        .containsExactly("conditions[0].reason: Too long: may not be more than 1024 bytes");
  }
}
