package dev.muster.fleet.discovery;

import dev.muster.fleet.identity.IdentityOptions;
import dev.muster.model.gocompat.GoDuration;
import dev.muster.server.options.flag.Flag;
import dev.muster.server.options.flag.FlagGroup;
import java.time.Duration;

/** Options for the exchange of discovery hashes among servers. */
@FlagGroup("Coordinated discovery")
public record DiscoveryHashOptions(
    @Flag(
            name = "discovery-hash-heartbeat-period",
            help =
                "Time between two renewals of this server's row in DiscoveryDocHashes. A row that"
                    + " was not renewed for three of its periods is removed by any server.")
        Duration period) {

  /** A row that missed this number of heartbeats is removed. */
  static final int MISSED_HEARTBEATS = 3;

  static final Duration USUAL = Duration.ofMinutes(5);
  private static final Duration SHORTEST = Duration.ofSeconds(1);

  /** Limits how long a row stays that no server renews. */
  static final Duration LONGEST = Duration.ofHours(1);

  public DiscoveryHashOptions {
    if (period.compareTo(SHORTEST) < 0 || period.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "--discovery-hash-heartbeat-period: "
              + GoDuration.format(period)
              + " is not between 1s and 1h");
    }
  }

  /** The period of a row that states that many seconds, limited to the longest one. */
  static Duration plausible(long seconds) {
    return seconds < SHORTEST.toSeconds()
        ? USUAL
        : Duration.ofSeconds(Math.min(seconds, LONGEST.toSeconds()));
  }

  /**
   * How often this server renews its row. Without an identity Lease it does so at least as often as
   * its peers expect of a row of unknown period.
   */
  Duration period(boolean withLease) {
    return withLease || period.compareTo(USUAL) < 0 ? period : USUAL;
  }

  public static DiscoveryHashOptions defaults() {
    return new DiscoveryHashOptions(USUAL);
  }

  /** The time without contact to the store after which the state of the fleet is unknown. */
  Duration patience() {
    return period.multipliedBy(MISSED_HEARTBEATS);
  }

  /** How long to wait for a server that never had a row after the last renewal of its Lease. */
  Duration patienceWithLease(Duration renewInterval) {
    var shorter = period.multipliedBy(MISSED_HEARTBEATS).dividedBy(2);
    var missed = renewInterval.multipliedBy(IdentityOptions.MISSED_RENEWALS);
    return shorter.compareTo(missed) > 0 ? shorter : missed;
  }
}
