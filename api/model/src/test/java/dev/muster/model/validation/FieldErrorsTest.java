package dev.muster.model.validation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.GroupResource;
import dev.muster.model.status.ApiException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class FieldErrorsTest {
  private static final FieldError SMALL = FieldError.required(FieldPath.of("spec"), "");

  @Test
  void choicesAreShownAsJsonAndOtherTextsInQuotes() {
    var path = FieldPath.of("spec");
    assertThat(FieldError.notSupported(path, "a<\u0000\"\n", List.of("b")))
        .hasToString(
            "spec: Unsupported value: \"a\\u003c\\u0000\\\"\\n\": supported values: \"b\"");
    assertThat(FieldError.invalid(path, "a<\u0000", ""))
        .hasToString("spec: Invalid value: \"a<\\x00\"");
  }

  @Test
  void namesInMessagesAreQuoted() {
    assertThat(ApiException.notFound(new GroupResource("", "pods"), "a\nb"))
        .hasMessage("pods \"a\\nb\" not found");
  }

  @Test
  void keepsAllErrorsThatSomebodyMayRead() {
    var errors =
        FieldErrors.of(
            found -> {
              for (int i = 0; i < 1_000; i++) {
                found.add(SMALL);
              }
            });
    assertThat(errors).hasSize(1_000).containsOnly(SMALL);
  }

  @Test
  void endsTheSearchWhenErrorsShowTheWholeListAgainAndAgain() {
    var looks = new AtomicInteger();
    var large = FieldError.invalid(FieldPath.of("list"), "x".repeat(100_000), "bad");
    var errors =
        FieldErrors.of(
            found -> {
              for (int i = 0; i < 1_000_000; i++) {
                looks.incrementAndGet();
                found.add(large);
              }
            });
    assertThat(errors).hasSize(11).containsOnly(large);
    assertThat(looks).hasValue(11);
  }

  @Test
  void keepsWhatWasFoundOnAListOfItsOwn() {
    var large = FieldError.invalid(FieldPath.of("list"), "x".repeat(2_000_000), "bad");
    var errors =
        FieldErrors.of(
            found -> {
              found.add(SMALL);
              new FieldErrors().add(large);
            });
    assertThat(errors).containsExactly(SMALL, large);
  }
}
