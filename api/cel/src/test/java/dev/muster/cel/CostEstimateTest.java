package dev.muster.cel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CostEstimateTest {
  private static final ExpressionChecker CHECKER =
      ExpressionChecker.of(
          Map.of("v", StructTypes.of("V")),
          new StructTypes(
              Map.of(
                  "V",
                  Map.of(
                      "i",
                      SimpleType.INT,
                      "s",
                      SimpleType.STRING,
                      "names",
                      ListType.create(SimpleType.STRING),
                      "counts",
                      MapType.create(SimpleType.STRING, SimpleType.INT))),
              ""),
          ExpressionChecker.Extra.BINDINGS);
  private static final SizedType SIZES =
      SizedType.struct(
          Map.of(
              "i", SizedType.sized(0),
              "s", SizedType.sized(200),
              "names", SizedType.container(SizedType.sized(50), 10),
              "counts", SizedType.map(SizedType.sized(0), 20, 30)));

  private static long cost(String expression) {
    return switch (CHECKER.check(expression)) {
      case Checked.Sound sound -> CostEstimate.most(sound, SIZES);
      case Checked.Unsound unsound -> throw new AssertionError(unsound.problem());
    };
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          true                                    | 0
          v.i > 1                                 | 3
          has(v.s)                                | 1
          v.s == 'abc'                            | 3
          v.s == v.s                              | 24
          v.s.startsWith('abcdefghijklm')         | 4
          v.s.contains('abcdefghijklm')           | 42
          v.s.matches('^[a-z]+$')                 | 44
          v.s + v.s == ''                         | 44
          v.s.lowerAscii() == 'x'                 | 23
          v.s.split(',').size() > 1               | 44
          v.s.replace('a', 'bcd').size() > 1      | 44
          v.names.join(',') == ''                 | 53
          v.names.all(n, n != '')                 | 43
          v.names.all(n, n.matches('^a$'))        | 103
          v.names.exists_one(n, n == 'x')         | 44
          v.names.map(n, n + 'x').size() > 0      | 205
          v.names.isSorted()                      | 62
          v.names[0] == 'abcdefghijklm'           | 5
          v.counts['a'] > 1                       | 4
          v.counts.all(k, k.size() > 1)           | 123
          'x' in v.names                          | 12
          sets.contains(v.names, ['x'])           | 23
          v.names.reverse().size() > 1            | 25
          cel.bind(n, v.names, n.size() + n.size()) > 0 | 18
          quantity(v.s).isGreaterThan(quantity('1')) | 24
          isIP(v.s) && v.i > 1                    | 25
          true ? v.s == '' : v.i > 1              | 3
          [1, 2].exists(x, x == v.i)              | 25
          {'a': 1}.size() > 1                     | 32
          """)
  void everyStepCosts(String expression, long most) {
    assertThat(cost(expression)).isEqualTo(most);
  }

  @Test
  void loopsInLoopsMultiply() {
    assertThat(cost("v.names.all(a, v.names.all(b, v.names.all(c, a != b && b != c)))"))
        .isGreaterThan(1000)
        .isLessThan(100_000);
  }

  @Test
  void whatNobodyKnowsCostsWithoutEnd() {
    var open = ExpressionChecker.of(Map.of("d", SimpleType.DYN), new StructTypes(Map.of(), ""));
    assertThat(
            CostEstimate.most(
                (Checked.Sound) open.check("d.all(x, x.all(y, y == d))"), path -> null))
        .isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void largeNumbersStopAtTheLargest() {
    var large = new CostRange(1, Long.MAX_VALUE - 1);
    assertThat(large.plus(large)).isEqualTo(new CostRange(2, Long.MAX_VALUE));
    assertThat(large.times(large)).isEqualTo(new CostRange(1, Long.MAX_VALUE));
    assertThat(large.times(3.0)).isEqualTo(new CostRange(3, Long.MAX_VALUE));
  }
}
