package dev.muster.validation.admission;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonPathsTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "spec.validations[0].expression",
        ".spec['a.b'][1:2:3][-1]",
        "..name",
        "$.items[?(@.kind == \"a)\")].x",
        "range .items[*]",
        "[1,'a', 2]",
        "1.5",
        "'it\\'s'",
        "\"a\\x41\"",
        "true",
        ".a\\.b",
        ".a}text{.b"
      })
  void takesPaths(String path) {
    assertThat(JsonPaths.problem(path)).isEmpty();
  }

  @Test
  void endsWithItsLine() {
    assertThat(JsonPaths.problem("spec\n.a")).isEqualTo("unclosed action");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          spec.a[                | unterminated array
          spec.a[x]              | invalid array index x
          [99999999999999999999] | array index 99999999999999999999 is not a number
          [1,x]                  | invalid array index x
          ;                      | unrecognized character in action: U+003B ';'
          1.2.3                  | cannot parse number 1.2.3
          .... a                 | invalid multiple recursive descent
          'abc                   | unterminated quoted string
          'a\\q'                 | unquote string 'a\\q' error invalid syntax
          [?(@.a == 1            | unterminated filter
          [?(@.a == 1)           | unclosed array expect ]
          [?(@.a == ;)]          | unrecognized character in action: U+003B ';'
          """)
  void saysWhatIsWrong(String path, String problem) {
    assertThat(JsonPaths.problem(path)).isEqualTo(problem);
  }
}
