package dev.muster.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class EmbeddedOptionsTest {
  @Test
  void hasTheseDefaults() {
    var options = EmbeddedOptions.in(Path.of("data"));
    assertThat(options.folder()).isEqualTo(Path.of("data"));
    assertThat(options.history()).isEqualTo(Duration.ofMinutes(5));
    assertThat(options.minFreeBytes()).isEqualTo(64 << 20);
    assertThat(options.reserveBytes()).isEqualTo(32 << 20);
    assertThat(options.maxTransactionBytes()).isEqualTo(2 << 20);
  }

  @Test
  void refusesNegativeValues() {
    var options = EmbeddedOptions.in(Path.of("data"));
    assertThatThrownBy(() -> options.withHistory(Duration.ofSeconds(-1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> options.withMinFreeBytes(-1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> options.withReserveBytes(-1))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
