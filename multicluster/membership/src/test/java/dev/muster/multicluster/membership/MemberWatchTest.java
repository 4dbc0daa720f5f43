package dev.muster.multicluster.membership;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Members with clocks of their own, and time that passes when somebody waits. */
class MemberWatchTest {
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");
  private Duration waited = Duration.ZERO;

  /** How far the member's clock is ahead, and whether it still renews its Lease. */
  private Duration ahead = Duration.ZERO;

  private boolean lives = true;
  private Instant renewed = now;
  private int sign = 1;

  private List<ClusterSets.MemberView> members(String set, Instant time) {
    boolean vanished = !MemberLease.isRecent(renewed.plus(ahead), time);
    return List.of(
        new ClusterSets.MemberView(
            "one",
            "uid",
            Phase.JOINED,
            Optional.of(renewed.plus(ahead)),
            vanished,
            String.valueOf(sign)));
  }

  private void rest(Duration time) {
    waited = waited.plus(time);
    now = now.plus(time);
    if (lives && Duration.between(renewed, now).compareTo(MemberLease.RENEWAL) >= 0) {
      renewed = now;
      sign++;
    }
  }

  private ClusterSets.MemberView check() {
    try {
      var watch = new MemberWatch(this::members, () -> now, this::rest);
      return watch.check(List.of("prod")).get("prod").getFirst();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aMemberWithARightClockIsBelievedAtOnce() {
    assertThat(check().vanished()).isFalse();
    assertThat(waited).isZero();
  }

  @Test
  void aMemberThatIsTwoHoursFastVanishesWhenItDies() {
    ahead = Duration.ofHours(2);
    lives = false;
    assertThat(check().vanished()).isTrue();
    assertThat(check().lastSeen()).as("nothing that it said is believed").isEmpty();
  }

  @Test
  void aMemberThatIsTwoHoursFastLives() {
    ahead = Duration.ofHours(2);
    assertThat(check().vanished()).isFalse();
    assertThat(check().lastSeen())
        .hasValueSatisfying(seen -> assertThat(seen).isBeforeOrEqualTo(now));
  }

  @Test
  void aMemberThatIsTwoHoursSlowLives() {
    ahead = Duration.ofHours(-2);
    assertThat(check().vanished()).isFalse();
    assertThat(waited).isLessThanOrEqualTo(MemberWatch.MOST);
  }

  @Test
  void aMemberThatDiedHasVanished() {
    lives = false;
    now = now.plusSeconds(60);
    assertThat(check().vanished()).isTrue();
    assertThat(check().lastSeen()).contains(renewed);
  }
}
