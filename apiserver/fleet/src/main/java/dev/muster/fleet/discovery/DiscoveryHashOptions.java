package dev.muster.fleet.discovery;

import dev.muster.fleet.identity.IdentityOptions;
import dev.muster.model.gocompat.GoDuration;
import dev.muster.server.options.flag.Flag;
import dev.muster.server.options.flag.FlagGroup;
import java.time.Duration;

/** How servers tell one another what they serve. */
@FlagGroup("Coordinated discovery")
public record DiscoveryHashOptions(
    @Flag(
            name = "discovery-hash-heartbeat-period",
            help =
                "Time between two renewals of this server's row in DiscoveryDocHashes. A row that"
                    + " was not renewed for three of its periods is removed by any server.")
        Duration period) {

  /** A row that missed so many heartbeats is removed. */
  static final int MISSED_HEARTBEATS = 3;

  static final Duration USUAL = Duration.ofMinutes(5);
  private static final Duration SHORTEST = Duration.ofSeconds(1);

  /** Bounds how long a row may stay that nothing renews. */
  static final Duration LONGEST = Duration.ofHours(1);

  public DiscoveryHashOptions {
    if (period.compareTo(SHORTEST) < 0 || period.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "--discovery-hash-heartbeat-period: "
              + GoDuration.format(period)
              + " is not between 1s and 1h");
    }
  }

  /** The period of a row that says so many seconds: the longest at most. */
  static Duration plausible(long seconds) {
    return seconds < SHORTEST.toSeconds()
        ? USUAL
        : Duration.ofSeconds(Math.min(seconds, LONGEST.toSeconds()));
  }

  /**
   * How often this server renews its row. Without an identity Lease it does so at least as often as
   * others expect of a row of which they know nothing else.
   */
  Duration period(boolean withLease) {
    return withLease || period.compareTo(USUAL) < 0 ? period : USUAL;
  }

  public static DiscoveryHashOptions defaults() {
    return new DiscoveryHashOptions(USUAL);
  }

  /** After how long out of contact with the store nothing is certain any more. */
  Duration patience() {
    return period.multipliedBy(MISSED_HEARTBEATS);
  }

  /**
   * How long a server that never reports a row is waited for after its last renewal of its Lease.
   */
  Duration patienceWithLease(Duration renewInterval) {
    var shorter = period.multipliedBy(MISSED_HEARTBEATS).dividedBy(2);
    var missed = renewInterval.multipliedBy(IdentityOptions.MISSED_RENEWALS);
    return shorter.compareTo(missed) > 0 ? shorter : missed;
  }
}
