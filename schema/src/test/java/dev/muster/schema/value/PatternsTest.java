package dev.muster.schema.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.re2j.PatternSyntaxException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PatternsTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$",
        "^(\\d{1,3}\\.){3}\\d{1,3}$",
        "[[:alpha:]\\]}{]{1,63}",
        "\\Q(a{1000}){1000}\\E",
        "a{,5}",
        "x{2}{3}",
        ""
      })
  void whatPeopleWriteIsCompiled(String expression) {
    assertThatCode(() -> Patterns.compile(expression)).doesNotThrowAnyException();
  }

  @Test
  void repetitionsMultiply() {
    assertThat(Patterns.steps("a{1000}")).isGreaterThan(1_000).isLessThan(3_000);
    assertThat(Patterns.steps("(a{30}){30}")).isGreaterThan(900).isLessThan(4_000);
    assertThat(Patterns.steps("((a{9}){9}){9}")).isGreaterThan(729);
    assertThat(Patterns.steps("(ab|cd)*")).isLessThan(20);
  }

  @ParameterizedTest
  @ValueSource(strings = {"(a{30}){30}", "[a-z]{1000}", "(((x{9}){9}){9})"})
  void manyRepetitionsAreRefusedBeforeTheyTakeMemory(String part) {
    assertThatThrownBy(() -> Patterns.compile(part.repeat(10_000)))
        .isInstanceOf(PatternSyntaxException.class)
        .hasMessageContaining("expression too large");
  }
}
