package dev.muster.server.options;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ApiOptionsTest {
  private static ApiOptions gates(Map<String, Boolean> gates) {
    return new ApiOptions(Map.of(), gates);
  }

  @Test
  void allAlphaAndAllBetaSwitchTheirFeatures() {
    var alpha = gates(Map.of("AllAlpha", true));
    assertThat(alpha.enabled("CBORServingAndStorage", false)).isTrue();
    assertThat(alpha.enabled("StorageVersionMigrator")).isFalse();
    assertThat(gates(Map.of("AllBeta", true)).enabled("StorageVersionMigrator")).isTrue();
    assertThat(gates(Map.of("AllBeta", false)).enabled("APIServerIdentity", true)).isFalse();
  }

  @Test
  void whatIsNamedItselfCounts() {
    var gates = gates(Map.of("AllAlpha", true, "CBORServingAndStorage", false));
    assertThat(gates.enabled("CBORServingAndStorage", false)).isFalse();
  }

  @Test
  void featuresOfOurOwnAreOfNoKind() {
    var gates = gates(Map.of("AllAlpha", false, "AllBeta", false));
    assertThat(gates.enabled("EnableCoordinatedDiscoveryDocument")).isTrue();
  }
}
