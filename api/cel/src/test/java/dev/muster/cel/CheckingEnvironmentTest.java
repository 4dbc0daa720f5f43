package dev.muster.cel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cel.common.types.SimpleType;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** An environment serves one expression after the other, unless it has learned of a struct. */
class CheckingEnvironmentTest {
  private static final StructTypes STRUCTS =
      new StructTypes(Map.of("Known", Map.of("name", SimpleType.STRING)), "");

  private static CheckingEnvironment check(String expression) throws Exception {
    var environment = CheckingEnvironment.take();
    environment.enter(expression, STRUCTS, Map.of("self", StructTypes.of("Known")), List.of());
    environment.check(ExpressionChecker.standard().parse(expression).getAst());
    assertThat(environment.issues()).isEmpty();
    environment.exit();
    environment.giveBack();
    return environment;
  }

  @Test
  void isUsedAgainAfterAnExpressionThatLooksIntoStructs() throws Exception {
    var environment = check("has(self.name) && self.name == 'a'");
    assertThat(CheckingEnvironment.take()).isSameAs(environment);
  }

  @Test
  void isNotUsedAgainAfterAnExpressionThatNamesAStruct() throws Exception {
    var environment = check("self == Known{name: 'a'}");
    assertThat(CheckingEnvironment.take()).isNotSameAs(environment);
  }
}
