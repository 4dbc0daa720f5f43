package dev.muster.fleet.endpoints;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EndpointOptionsTest {
  private static final EndpointOptions DEFAULTS = EndpointOptions.defaults();

  @Test
  void leasesOfFifteenSecondsRenewedEveryTen() {
    assertThat(DEFAULTS.reconciler()).isEqualTo(ReconcilerType.LEASE);
    assertThat(DEFAULTS.serverCount()).isEqualTo(1);
    assertThat(DEFAULTS.interval()).isEqualTo(Duration.ofSeconds(10));
    assertThat(DEFAULTS.leaseDuration()).isEqualTo(Duration.ofSeconds(15));
  }

  @Test
  void theAlphaFlagChoosesTheConfigMap() {
    var alpha =
        new EndpointOptions(
            null,
            EndpointOptions.AlphaType.CONFIGMAP,
            1,
            Duration.ofSeconds(10),
            Duration.ofSeconds(15));
    assertThat(alpha.reconciler()).isEqualTo(ReconcilerType.CONFIGMAP);
    assertThat(alpha.withType(ReconcilerType.CONFIGMAP).reconciler())
        .isEqualTo(ReconcilerType.CONFIGMAP);
    assertThatThrownBy(() -> alpha.withType(ReconcilerType.LEASE))
        .hasMessage(
            "--alpha-apiserver-endpoint-reconciler-type: configmap contradicts"
                + " --endpoint-reconciler-type=lease");
  }

  @Test
  void refusesWhatCannotWork() {
    assertThatThrownBy(() -> DEFAULTS.withServerCount(0))
        .hasMessageStartingWith("--apiserver-count:");
    assertThatThrownBy(() -> DEFAULTS.withTimes(Duration.ofMillis(10), Duration.ofSeconds(15)))
        .hasMessageStartingWith("--endpoint-reconciler-interval:");
    assertThatThrownBy(() -> DEFAULTS.withTimes(Duration.ofSeconds(15), Duration.ofSeconds(15)))
        .hasMessageStartingWith("--endpoint-reconciler-lease-duration:");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "192.0.2.3",
        "1.2.3.4",
        "2001:4860:4860::8888",
        "::1",
        "fd00::",
        "1:2:3:4:5:6:7:8",
        "::fffe:0:1"
      })
  void entriesOfTheConfigMapNameAnyAddress(String address) {
    var key = ConfigMapRecords.key(address, 443);
    assertThat(key).matches("ip-[-0-9a-f]+-443");
    var member = ConfigMapRecords.member(key, "2026-01-01T00:00:00Z");
    assertThat(member.addresses()).containsExactly(address);
    assertThat(member.port()).isEqualTo(443);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ip-443",
        "ip--443",
        "x-1-2-3-4-443",
        "ip-1-2-3-4-0",
        "ip-1-2-3-4-x",
        "ip-1-2-3-443"
      })
  void otherEntriesAreNoServers(String key) {
    assertThatThrownBy(() -> ConfigMapRecords.member(key, "2026-01-01T00:00:00Z"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(key);
  }
}
