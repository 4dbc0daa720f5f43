package dev.muster.server.flags;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.server.flags.GoArguments.Kind;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GoArgumentsTest {
  private static final Map<String, Kind> KINDS =
      Map.of("on", Kind.BOOLEAN, "some-port", Kind.VALUE, "v", Kind.VALUE);

  @Test
  void valuesMayFollowInBothWays() {
    assertThat(normalize("--some-port", "1", "--some-port=2", "--some_port", "3"))
        .containsExactly("--some-port=1", "--some-port=2", "--some-port=3");
  }

  @Test
  void aBooleanAloneIsTrueAndTakesNoArgument() {
    assertThat(normalize("--on", "false", "--on=false"))
        .containsExactly("--on=true", "false", "--on=false");
  }

  @Test
  void oneDashWillDo() {
    assertThat(normalize("-v", "4", "-v=5")).containsExactly("--v=4", "--v=5");
  }

  @Test
  void aValueMayLookLikeAFlag() {
    assertThat(normalize("--some-port", "--on")).containsExactly("--some-port=--on");
  }

  @Test
  void unknownFlagsAndWhatFollowsTwoDashesStay() {
    assertThat(normalize("--what", "-x=1", "--", "--on"))
        .containsExactly("--what", "-x=1", "--", "--on");
  }

  @Test
  void aFlagWithoutItsValueIsNamed() {
    assertThatThrownBy(() -> normalize("--some-port"))
        .isInstanceOf(FlagException.class)
        .hasMessage("--some-port: needs a value");
  }

  private static List<String> normalize(String... arguments) {
    return GoArguments.normalize(List.of(arguments), KINDS::get);
  }

  @Test
  void shortFormsStandForLongOnes() {
    var forms = Map.of("o", "output");
    assertThat(GoArguments.longForms(List.of("-o", "json"), forms))
        .containsExactly("--output", "json");
    assertThat(GoArguments.longForms(List.of("-ojson", "-o=x", "--other", "--", "-o"), forms))
        .containsExactly("--output=json", "--output=x", "--other", "--", "-o");
  }
}
