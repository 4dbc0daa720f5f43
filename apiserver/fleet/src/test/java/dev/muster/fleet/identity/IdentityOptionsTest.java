package dev.muster.fleet.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class IdentityOptionsTest {
  @Test
  void renewsEveryTenSecondsForAnHourByDefault() {
    var options = IdentityOptions.defaults();
    assertThat(options.namespace()).isEqualTo("kube-apiserver-lease");
    assertThat(options.renewSeconds()).isEqualTo(10);
    assertThat(options.durationSeconds()).isEqualTo(3600);
  }

  @Test
  void refusesWhatCannotWork() {
    assertThatThrownBy(() -> new IdentityOptions("Not a name", 10, 3600))
        .hasMessageStartingWith("--identity-lease-namespace:");
    assertThatThrownBy(() -> new IdentityOptions("x", 0, 3600))
        .hasMessageStartingWith("--identity-lease-renew-interval-seconds:");
    assertThatThrownBy(() -> new IdentityOptions("x", 10, 29))
        .hasMessageStartingWith("--identity-lease-duration-seconds:");
  }
}
