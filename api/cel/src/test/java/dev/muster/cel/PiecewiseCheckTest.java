package dev.muster.cel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cel.common.navigation.CelNavigableAst;
import dev.cel.common.types.SimpleType;
import dev.muster.testing.CpuTime;
import java.util.Collections;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Large expressions are told the same as small ones, in time that grows with their size. */
class PiecewiseCheckTest {
  private static final ExpressionChecker CHECKER =
      ExpressionChecker.of(
          Map.of("o", SimpleType.DYN, "i", SimpleType.INT, "late", SimpleType.BOOL),
          StructTypes.NONE);

  private static String many(String operand, String operator, int count) {
    return String.join(operator, Collections.nCopies(count, operand));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          o.a == i                    | && | bool
          o.all(x, x == i)            | && | bool
          [i][0] == 1                 | ,  | list(bool)
          {'a': i}                    | ,  | list(map(string, int))
          (i == 1 ? [i] : [2])        | +  | list(int)
          o.?a                        | ,  | list(optional_type(dyn))
          """)
  void largeExpressionsHaveTheTypeOfSmallOnes(String operand, String operator, String type) {
    boolean list = operator.equals(",");
    for (int count : new int[] {2, 200}) {
      var operands = many(operand, operator, count);
      var checked = CHECKER.check(list ? "[" + operands + "]" : operands);
      assertThat(checked).isInstanceOf(Checked.Sound.class);
      assertThat(((Checked.Sound) checked).type()).isEqualTo(type);
    }
  }

  @Test
  void everyPartOfALargeExpressionKeepsItsTypeAndReference() {
    var checked = (Checked.Sound) CHECKER.check(many("o.a == i", " && ", 300) + " && late");
    assertThat(checked.refersTo("late")).isTrue();
    assertThat(checked.refersTo("@piece1")).isFalse();
    assertThat(checked.tree().getReferenceMap().values())
        .noneMatch(reference -> reference.name().startsWith("@piece"));
    CelNavigableAst.fromAst(checked.tree())
        .getRoot()
        .allNodes()
        .forEach(node -> assertThat(checked.tree().getType(node.id())).isPresent());
  }

  @Test
  void tellsProblemsWhereTheyAre() {
    var sound = many("o.a == i", " && ", 100);
    var checked = CHECKER.check(sound + " && i == 'a' && " + sound + " && unknown");
    assertThat(((Checked.Unsound) checked).problem())
        .startsWith(
            "ERROR: <input>:1:1203: found no matching overload for '_==_' applied to '(int,"
                + " string)'\n | ")
        .contains("\nERROR: <input>:1:2413: undeclared reference to 'unknown'");
  }

  @Test
  void countsProblemsThatAreTooManyToTell() {
    var checked = CHECKER.check(many("i == 'a'", " && ", 250));
    assertThat(((Checked.Unsound) checked).problem().lines().filter(l -> l.startsWith("ERROR")))
        .hasSize(100);
    assertThat(((Checked.Unsound) checked).problem())
        .startsWith("ERROR: <input>:1:3: ")
        .endsWith("\n150 more errors were truncated");
  }

  @Test
  void timeGrowsWithTheSize() {
    CpuTime.assertAtMost(24, () -> isSound(400), () -> isSound(3200));
  }

  private static void isSound(int parts) {
    assertThat(CHECKER.check(many("o.a == i", " && ", parts))).isInstanceOf(Checked.Sound.class);
  }
}
