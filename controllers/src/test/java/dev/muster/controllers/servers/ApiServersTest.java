package dev.muster.controllers.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ApiServersTest {
  private static final Instant START = Instant.parse("2026-11-15T09:00:00Z");

  private Duration elapsed = Duration.ZERO;
  private int versions;
  private final ApiServers servers =
      new ApiServers(() -> START.plus(elapsed), () -> elapsed.toNanos());

  private ServerLease renew(String name, Duration skew) {
    var lease =
        new ServerLease(
            "n",
            name,
            "uid",
            "" + ++versions,
            name,
            START.plus(elapsed).plus(skew),
            Duration.ofHours(1),
            Duration.ofSeconds(10));
    servers.look(lease);
    return lease;
  }

  private void pass(int seconds) {
    elapsed = elapsed.plusSeconds(seconds);
  }

  @Test
  void aServerThatStopsRenewingIsMissedFastAndForgottenSlowly() {
    renew("a", Duration.ZERO);
    renew("b", Duration.ZERO);
    pass(29);
    assertThat(servers.responding()).containsExactly("a", "b");
    renew("a", Duration.ZERO);
    pass(2);
    assertThat(servers.responding()).containsExactly("a");
    assertThat(servers.living()).containsExactly("a", "b");
    pass(3600);
    assertThat(servers.living()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {-60, -5, 5, 60})
  void aWrongClockDoesNotMatterAfterTheFirstRenewal(int minutes) {
    var skew = Duration.ofMinutes(minutes);
    renew("a", skew);
    for (int i = 0; i < 20; i++) {
      pass(10);
      renew("a", skew);
      assertThat(servers.responding()).containsExactly("a");
      assertThat(servers.living()).containsExactly("a");
    }
  }

  @Test
  void whatIsSeenAgainUnchangedIsNotRenewed() {
    var lease = renew("a", Duration.ZERO);
    pass(31);
    servers.look(lease);
    assertThat(servers.responding()).isEmpty();
  }

  @Test
  void aServerThatLeftIsForgotten() {
    var lease = renew("a", Duration.ZERO);
    servers.forget(lease);
    assertThat(servers.living()).isEmpty();
  }

  @Test
  void aLeaseThatWasOldWhenWeCameDoesNotRespond() {
    renew("dead", Duration.ofMinutes(-10));
    assertThat(servers.responding()).isEmpty();
    assertThat(servers.living()).containsExactly("dead");
  }

  @Test
  void aLivingServerWhoseClockIsHoursBehindIsNeverThoughtGone() {
    var skew = Duration.ofHours(-3);
    renew("behind", skew);
    for (int i = 0; i < 10; i++) {
      assertThat(servers.living()).containsExactly("behind");
      pass(10);
      assertThat(servers.living()).containsExactly("behind");
      renew("behind", skew);
    }
    pass(31);
    assertThat(servers.living()).isEmpty();
  }
}
