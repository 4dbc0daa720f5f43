package dev.muster.fleet.observation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SightingsTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private final Sightings<String> sightings = new Sightings<>();

  @Test
  void countsTheTimeWithoutChange() {
    sightings.look(Map.of("a", "1"), SECOND);
    assertThat(sightings.unchangedFor("a")).isZero();
    sightings.look(Map.of("a", "1"), SECOND);
    sightings.look(Map.of("a", "1"), SECOND);
    assertThat(sightings.unchangedFor("a")).isEqualTo(Duration.ofSeconds(2));
    assertThat(sightings.changes("a")).isFalse();
    sightings.look(Map.of("a", "2"), SECOND);
    assertThat(sightings.unchangedFor("a")).isZero();
    assertThat(sightings.changes("a")).isTrue();
  }

  @Test
  void whatGoesAndComesBackIsNew() {
    sightings.look(Map.of("a", "1"), SECOND);
    sightings.look(Map.of("a", "1"), SECOND);
    sightings.look(Map.of(), SECOND);
    assertThat(sightings.last("a")).isNull();
    sightings.look(Map.of("a", "1"), SECOND);
    assertThat(sightings.unchangedFor("a")).isZero();
  }
}
