package dev.muster.fleet.endpoints;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.json.JsonObject;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ExpirationTest {
  private final Expiration expiration = new Expiration();

  private void set(String text, int observedSeconds) {
    expiration.check(
        JsonObject.of("data", JsonObject.of(ConfigMapRecords.EXPIRATION, text)),
        Duration.ofSeconds(observedSeconds));
  }

  private static Duration seconds(int number) {
    return Duration.ofSeconds(number);
  }

  @Test
  void entriesAreRenewedAfterFourFifthsAndMayBeLate() {
    assertThat(expiration.interval()).isEqualTo(seconds(48));
    assertThat(expiration.limit()).isEqualTo(seconds(60));
    set("10s", 0);
    set("10s", 100);
    set("10s", 0);
    assertThat(expiration.interval()).isEqualTo(seconds(8));
    assertThat(expiration.limit()).as("five seconds late").isEqualTo(seconds(13));
  }

  @Test
  void aLowerValueJudgesOthersOnlyWhenTheyHadTimeToFollowIt() {
    set("20s", 0);
    assertThat(expiration.interval()).isEqualTo(seconds(16));
    assertThat(expiration.limit()).isEqualTo(seconds(60));
    set("20s", 20);
    assertThat(expiration.limit()).isEqualTo(seconds(60));
    set("20s", 1);
    assertThat(expiration.limit()).isEqualTo(seconds(21));
  }

  @Test
  void aHigherValueCountsAtOnce() {
    set("2m", 0);
    assertThat(expiration.limit()).isEqualTo(seconds(120));
    set("30s", 0);
    set("90s", 10);
    assertThat(expiration.limit()).isEqualTo(seconds(120));
    set("3m", 0);
    assertThat(expiration.limit()).isEqualTo(seconds(180));
  }

  @Test
  void whatCannotBeUsedChangesNothing() {
    assertThatThrownBy(() -> set("often", 0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> set("25h", 0)).hasMessageContaining("not between 1s and 24h");
    assertThat(expiration.limit()).isEqualTo(seconds(60));
  }
}
