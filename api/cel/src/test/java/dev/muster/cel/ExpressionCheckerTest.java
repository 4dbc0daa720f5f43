package dev.muster.cel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExpressionCheckerTest {
  private static final ExpressionChecker CHECKER =
      ExpressionChecker.of(
          Map.of("o", SimpleType.DYN, "i", SimpleType.INT, "s", StructTypes.of("Struct")),
          new StructTypes(
              Map.of("Struct", Map.<String, CelType>of("name", SimpleType.STRING)), "Open"));

  private static String said(String expression) {
    return switch (CHECKER.check(expression)) {
      case Checked.Sound sound -> sound.type();
      case Checked.Unsound unsound -> unsound.problem();
    };
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          i + 1                   | int
          [1.5]                   | list(double)
          {'a': [i]}              | map(string, list(int))
          o.anything              | dyn
          s.?name                 | optional_type(string)
          Open.a.b{c: 1}          | Open.a.b
          quantity('1')           | kubernetes.Quantity
          null                    | null_type
          type(i)                 | type(int)
          ['b', 'a'].sortBy(x, x.size()) | list(string)
          [2, 1].sort()           | list(int)
          '%s: %d'.format(['a', 1]) | string
          duration                | type(google.protobuf.Duration)
          duration(i)             | google.protobuf.Duration
          [s.?name].unwrapOpt()   | list(string)
          """)
  void saysWhatComesOut(String expression, String type) {
    assertThat(said(expression)).isEqualTo(type);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          has(i)      | 1:5 | invalid argument to has() macro
          [1, 'a']    | 1:5 | expected type 'int' but found 'string'
          i.all(x, x) | 1:1 | expression of type 'int' cannot be range of a comprehension (must be list, map, or dynamic)
          o.all(1, x) | 1:7 | argument must be a simple name
          s.other     | 1:2 | undefined field 'other'
          i.x         | 1:2 | type 'int' does not support field selection
          x(1)        | 1:2 | undeclared reference to 'x' (in container '')
          if          | 1:1 | reserved identifier: if
          99999999999999999999u | 1:1 | invalid uint literal
          '\\ud800'  | 1:1 | invalid unicode code point
          b'\\u0041' | 1:1 | unable to unescape string
          'a'.reverse() | 1:12 | found no matching overload for 'reverse' applied to 'string.()'
          quantity('1').x | 1:14 | unexpected failed resolution of 'kubernetes.Quantity'
          [{'a': 1}].sort() | 1:16 | found no matching overload for 'sort' applied to 'list(map(string, int)).()'
          true && i   | 1:9 | expected type 'bool' but found 'int'
          [1].all(x, x) | 1:12 | expected type 'bool' but found 'int'
          [] + 1      | 1:4 | found no matching overload for '_+_' applied to '(list(dyn), int)'
          No{a: 1}    | 1:3 | undeclared reference to 'No' (in container '')
          i == '1'    | 1:3 | found no matching overload for '_==_' applied to '(int, string)'
          i )         | 1:3 | Syntax error: extraneous input ')' expecting <EOF>
          duration(1) | 1:10 | invalid duration argument
          fe80::1     | 1:5 | Syntax error: mismatched input ':' expecting <EOF>
          10.0.0.1    | 1:5 | Syntax error: mismatched input '.0' expecting <EOF>
          f(1, 2      | 1:7 | Syntax error: missing ')' at '<EOF>'
          i ? 1       | 1:6 | Syntax error: mismatched input '<EOF>' expecting ':'
          o.true      | 1:3 | Syntax error: mismatched input 'true' expecting IDENTIFIER
          o.`a`       | 1:3 | unsupported syntax: '`'
          has(i + 1)  | 1:7 | invalid argument to has() macro
          has(.i)     | 1:6 | invalid argument to has() macro
          o.map(1, 2) | 1:7 | argument is not an identifier
          o.all(x, x, true) | 1:10 | duplicate variable name: x
          o.map(__result__, 1) | 1:7 | iteration variable overwrites accumulator variable
          o.optMap(1, 2) | 1:10 | optMap() variable name must be a simple identifier
          1 == 9223372036854775808 | 1:6 | invalid int literal
          No{a: nothing} | 1:3 | undeclared reference to 'No' (in container '')
          [nothing] + 1 | 1:2 | undeclared reference to 'nothing' (in container '')
          true && -1  | 1:9 | expected type 'bool' but found 'int'
          [null, 1]   | 1:8 | expected type 'null' but found 'int'
          {'a': 1, 2: true}['a'] | 1:10 | expected type 'string' but found 'int'
          '%d'.format(['a']) | 1:14 | error during formatting: decimal clause can only be used on integers, was given string
          '%s'.format([]) | 1:12 | index 0 out of range
          '%s'.format([1, 2]) | 1:12 | too many arguments supplied to string.format (expected 1, got 2)
          '%z'.format([1]) | 1:12 | could not parse formatting clause: unrecognized formatting clause "z"
          dyn == 1    | 1:1 | undeclared reference to 'dyn' (in container '')
          1.sortBy(x, x) | 1:1 | sortBy can only be applied to a list, identifier, comprehension, call or select expression
          duration('x') | 1:10 | invalid duration argument
          """)
  void saysWhatIsWrongAndWhere(String expression, String where, String problem) {
    assertThat(said(expression).lines().findFirst())
        .hasValue("ERROR: <input>:" + where + ": " + problem);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          int('a') == 1        | type conversion error from 'string' to 'int'
          uint(-1) == 1u       | unsigned integer overflow
          int(1e30) == 1       | integer overflow
          bool('yes')          | type conversion error from 'string' to 'bool'
          double('x') > 1.0    | type conversion error from 'string' to 'double'
          'a'.find('[') == ''  | error parsing regexp: missing closing ]: `[`
          matches('a', '[')    | error parsing regexp: missing closing ]: `[`
          int('+5') <= int(5u)  | ``
          bool('T')            | ``
          """)
  void saysWhatFailsBeforeAnythingIsEvaluated(String expression, String problem) {
    assertThat(CHECKER.check(expression))
        .isInstanceOfSatisfying(
            Checked.Sound.class,
            sound -> assertThat(sound.unplanned(expression)).isEqualTo(problem));
  }

  @Test
  void backslashesInRawTextsAreNothingSpecial() {
    assertThat(said("r'\\' + R\"\\\"")).isEqualTo("string");
    assertThat(said("br'\\'")).isEqualTo("bytes");
  }

  @Test
  void structsOfOneCheckerAreUnknownToOthers() {
    var other = ExpressionChecker.of(Map.of("o", SimpleType.DYN), StructTypes.NONE);
    for (int i = 0; i < 5; i++) {
      assertThat(said("Open.a.b{c: 1}")).isEqualTo("Open.a.b");
      assertThat(other.check("Open == o")).isInstanceOf(Checked.Unsound.class);
      assertThat(other.check("Open.a.b{}")).isInstanceOf(Checked.Unsound.class);
    }
  }

  @Test
  void marksThePlaceBelowTheLine() {
    assertThat(said("true &&\n  x == 'é'"))
        .isEqualTo(
            """
            ERROR: <input>:2:3: undeclared reference to 'x' (in container '')
             |   x == 'é'
             | ..^\
            """);
  }

  @Test
  void anEmptyExpressionHasNoLineToShow() {
    assertThat(said("")).startsWith("ERROR: <input>:1:0: Syntax error: mismatched input '<EOF>'");
    assertThat(said("")).doesNotContain("\n");
  }

  @Test
  void whatIsTooLargeIsNotShown() {
    assertThat(said("(".repeat(300) + "i" + ")".repeat(300)))
        .isEqualTo("ERROR: <input>:-1:0: expression recursion limit exceeded: 250");
    assertThat(said("i+".repeat(50_001)))
        .isEqualTo(
            "ERROR: <input>:-1:0: expression code point size exceeds limit: size: 100002, limit"
                + " 100000");
    assertThat(said("'" + "x".repeat(17_000) + "' + y"))
        .isEqualTo("ERROR: <input>:1:17006: undeclared reference to 'y' (in container '')");
  }

  @Test
  void problemsComeInTheOrderOfTheText() {
    assertThat(said("a + b").lines().filter(line -> line.startsWith("ERROR")))
        .containsExactly(
            "ERROR: <input>:1:1: undeclared reference to 'a' (in container '')",
            "ERROR: <input>:1:5: undeclared reference to 'b' (in container '')");
  }
}
