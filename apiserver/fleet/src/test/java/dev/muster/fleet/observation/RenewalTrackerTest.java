package dev.muster.fleet.observation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RenewalTrackerTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private final RenewalTracker<String> renewalTracker = new RenewalTracker<>();

  @Test
  void countsTheTimeWithoutChange() {
    renewalTracker.check(Map.of("a", "1"), SECOND);
    assertThat(renewalTracker.unchangedFor("a")).isZero();
    renewalTracker.check(Map.of("a", "1"), SECOND);
    renewalTracker.check(Map.of("a", "1"), SECOND);
    assertThat(renewalTracker.unchangedFor("a")).isEqualTo(Duration.ofSeconds(2));
    assertThat(renewalTracker.changes("a")).isFalse();
    renewalTracker.check(Map.of("a", "2"), SECOND);
    assertThat(renewalTracker.unchangedFor("a")).isZero();
    assertThat(renewalTracker.changes("a")).isTrue();
  }

  @Test
  void whatGoesAndComesBackIsNew() {
    renewalTracker.check(Map.of("a", "1"), SECOND);
    renewalTracker.check(Map.of("a", "1"), SECOND);
    renewalTracker.check(Map.of(), SECOND);
    assertThat(renewalTracker.last("a")).isNull();
    renewalTracker.check(Map.of("a", "1"), SECOND);
    assertThat(renewalTracker.unchangedFor("a")).isZero();
  }
}
