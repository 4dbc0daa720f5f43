package dev.muster.fleet.endpoints;

import dev.muster.model.json.JsonObject;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One thread owns it. How long an entry of the ConfigMap may stay silent, as administrators have
 * set it.
 *
 * <p>Servers renew their entries by the value that was in force when they wrote them last. So a
 * lower value counts for renewals at once, and for judging others only when everybody has had its
 * time to follow it.
 */
final class Expiration {
  /** How late a renewal may be; the same as with records that expire by themselves. */
  static final Duration LATENESS = Duration.ofSeconds(5);

  private Duration configured = ConfigMapRecords.DEFAULT_EXPIRATION;
  private Duration judged = configured;
  private Duration settling = Duration.ZERO;

  /** What is in force for renewals. */
  Duration configured() {
    return configured;
  }

  /** How often an entry is renewed. */
  Duration interval() {
    return interval(configured);
  }

  /** The silence after which an entry has expired. */
  Duration limit() {
    return limit(judged);
  }

  private static Duration interval(Duration expiration) {
    return Duration.ofMillis(expiration.toMillis() * 4 / 5);
  }

  private static Duration limit(Duration expiration) {
    var late = interval(expiration).plus(LATENESS);
    return late.compareTo(expiration) > 0 ? late : expiration;
  }

  /**
   * Reads the settings.
   *
   * @param observed time since the last look in which this server would have seen renewals
   * @throws IllegalArgumentException when they cannot be used; the last good ones stay in force
   */
  void check(@Nullable JsonObject config, Duration observed) {
    settling = settling.minus(observed);
    if (!settling.isPositive()) {
      judged = configured;
    }
    var now = ConfigMapRecords.expiration(config);
    if (now.equals(configured)) {
      return;
    }
    configured = now;
    if (now.compareTo(judged) >= 0) {
      judged = now;
      settling = Duration.ZERO;
    } else {
      settling = limit(now);
    }
  }
}
