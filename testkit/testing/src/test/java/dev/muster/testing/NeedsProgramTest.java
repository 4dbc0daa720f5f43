package dev.muster.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.module.ModuleDescriptor.Version;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NeedsProgramTest {
  private static Optional<Version> there(String version) {
    return Optional.of(Version.parse(version));
  }

  @Test
  void aProgramThatIsNewEnoughWillDo() {
    assertThat(NeedsProgramCondition.evaluate("etcd", "3.4", there("3.4.23")).isDisabled())
        .isFalse();
    assertThat(NeedsProgramCondition.evaluate("kubectl", "1.9", there("1.20.2")).isDisabled())
        .isFalse();
    assertThat(NeedsProgramCondition.evaluate("curl", "0", there("7.88.1")).isDisabled()).isFalse();
  }

  @Test
  void aTestIsSkippedWithTheReason() {
    assertThat(NeedsProgramCondition.evaluate("kubectl", "1.24", there("1.20.2")).getReason())
        .contains(
            "needs kubectl 1.24 or newer, and there is 1.20.2"
                + " (Debian's package is kubernetes-client)");
    assertThat(NeedsProgramCondition.evaluate("strace", "0", Optional.empty()).getReason())
        .contains("needs strace, and there is none (Debian's package is strace)");
  }

  @Test
  void aProgramThatIsNotListedIsAMistake() {
    assertThatThrownBy(() -> Programs.version("kubectll"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("kubectll is not one of [curl, dig, etcd, ");
  }

  @Test
  void aProgramThatIsNotThereHasNoVersion() {
    assertThat(Programs.version("kubectl", "/nowhere/kubectl")).isEmpty();
  }
}
