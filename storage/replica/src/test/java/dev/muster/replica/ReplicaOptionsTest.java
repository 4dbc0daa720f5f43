package dev.muster.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ReplicaOptionsTest {
  @Test
  void defaultsAreTheDocumentedOnes() {
    var options = ReplicaOptions.defaults();
    assertThat(options.eventAge()).isEqualTo(Duration.ofMinutes(5));
    assertThat(options.events()).isEqualTo(100_000);
    assertThat(options.eventBytes()).isBetween(1L << 20, 128L << 20);
    assertThat(options.checkInterval()).isEqualTo(Duration.ofMinutes(10));
    assertThat(options.stallTimeout()).isEqualTo(Duration.ofSeconds(10));
    assertThat(options.loaders()).isBetween(1, 8);
  }

  @Test
  void refusesToKeepNothing() {
    var options = ReplicaOptions.defaults();
    assertThatThrownBy(() -> options.withEvents(Duration.ofMinutes(5), 0, 1))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
