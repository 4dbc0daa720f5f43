package dev.muster.fleet.endpoints;

import dev.muster.model.json.JsonObject;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long an entry of the ConfigMap may stay without renewal, by the setting of administrators.
 * One thread uses it.
 *
 * <p>Servers renew their entries by the value that they have read last. A lower value therefore
 * applies to renewals at once, but to expiration only after all servers have had time to follow it.
 */
final class Expiration {
  /** How late a renewal may be; the same as for endpoint records in the store. */
  static final Duration LATENESS = Duration.ofSeconds(5);

  private Duration configured = ConfigMapRecords.DEFAULT_EXPIRATION;
  private Duration judged = configured;
  private Duration settling = Duration.ZERO;

  /** The value that applies to renewals. */
  Duration configured() {
    return configured;
  }

  /** How often an entry is renewed. */
  Duration interval() {
    return interval(configured);
  }

  /** The time without renewal after which an entry expires. */
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
   * Reads the setting.
   *
   * @param observed time since the last call in which this server would have seen renewals
   * @throws IllegalArgumentException when the setting is invalid; the last valid one stays in
   *     effect
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
