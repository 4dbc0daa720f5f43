package dev.muster.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RegexSizeTest {
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
  void whatPeopleWriteIsNotTooLarge(String expression) {
    assertThat(RegexSize.isTooLarge(expression)).isFalse();
  }

  @Test
  void repetitionsMultiply() {
    assertThat(RegexSize.steps("a{1000}")).isGreaterThan(1_000).isLessThan(3_000);
    assertThat(RegexSize.steps("(a{30}){30}")).isGreaterThan(900).isLessThan(4_000);
    assertThat(RegexSize.steps("((a{9}){9}){9}")).isGreaterThan(729);
    assertThat(RegexSize.steps("(ab|cd)*")).isLessThan(20);
  }

  @ParameterizedTest
  @ValueSource(strings = {"(a{30}){30}", "[a-z]{1000}", "(((x{9}){9}){9})"})
  void manyRepetitionsAreTooLarge(String part) {
    assertThat(RegexSize.isTooLarge(part.repeat(10_000))).isTrue();
  }
}
