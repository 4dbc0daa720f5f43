package dev.muster.cel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** An expression is parsed once, and checked wherever it stands. */
class ParsedExpressionsTest {
  private static ExpressionChecker checker(CelType self) {
    return ExpressionChecker.of(Map.of("self", self), StructTypes.NONE);
  }

  @Test
  void whatIsParsedIsCheckedByTheTypesOfItsPlace() {
    assertThat(checker(SimpleType.INT).check("self == -5")).isInstanceOf(Checked.Sound.class);
    assertThat(checker(SimpleType.STRING).check("self == -5")).isInstanceOf(Checked.Unsound.class);
    assertThat(checker(SimpleType.INT).check("self == -5")).isInstanceOf(Checked.Sound.class);
  }

  @Test
  void whatIsLongIsNotKept() {
    var known = new ParsedExpressions();
    var tree = ((Checked.Sound) checker(SimpleType.INT).check("self == 1")).tree();
    var text = "self == 1" + " ".repeat(1_000);
    known.remember(text, tree);
    assertThat(known.find(text)).isNull();
  }

  @Test
  void theEldestAreForgotten() {
    var known = new ParsedExpressions();
    var tree = ((Checked.Sound) checker(SimpleType.INT).check("self == 1")).tree();
    for (int i = 0; i < 1_000; i++) {
      known.remember("self == " + i, tree);
    }
    assertThat(known.find("self == 0")).isNull();
    assertThat(known.find("self == 999")).isSameAs(tree);
  }
}
