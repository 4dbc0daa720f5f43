package dev.muster.cel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FieldNamesTest {
  @ParameterizedTest
  @CsvSource({
    "name, name",
    "_a1, _a1",
    "a_b, a_b",
    "in, __in__",
    "a-b, a__dash__b",
    "a.b/c, a__dot__b__slash__c",
    "a__b, a__underscores__b",
    "a___b, a__underscores___b"
  })
  void aFieldIsFoundByTheNameThatExpressionsWrite(String name, String escaped) {
    assertThat(FieldNames.escaped(name)).isEqualTo(escaped);
    assertThat(FieldNames.unescaped(escaped)).isEqualTo(name);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1a", "a b", "ä", "a$"})
  void whatIsNoNameCannotBeWritten(String name) {
    assertThat(FieldNames.escaped(name)).isNull();
  }
}
