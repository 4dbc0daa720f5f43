package dev.muster.fleet.discovery;

import dev.muster.fleet.identity.IdentityOptions;
import dev.muster.server.options.Flag;
import dev.muster.server.options.FlagGroup;
import java.time.Duration;

/** How servers tell one another what they serve. */
@FlagGroup("Coordinated discovery")
public record DiscoveryHashOptions(
    @Flag(
            name = "discovery-hash-heartbeat-period",
            help =
                "Time between two renewals of this server's row in DiscoveryDocHashes. Rows that"
                    + " were not renewed for three periods are removed by any server; the same on"
                    + " all servers.")
        Duration period) {

  /** A row that missed so many heartbeats is removed. */
  static final int MISSED_HEARTBEATS = 3;

  public DiscoveryHashOptions {
    if (period.compareTo(Duration.ofSeconds(1)) < 0) {
      throw new IllegalArgumentException(
          "--discovery-hash-heartbeat-period: must be at least one second");
    }
  }

  public static DiscoveryHashOptions defaults() {
    return new DiscoveryHashOptions(Duration.ofMinutes(5));
  }

  /** After how long without a heartbeat a row has come to an end. */
  Duration patience() {
    return period.multipliedBy(MISSED_HEARTBEATS);
  }

  /**
   * How long a Lease without a row is waited for after its last renewal. A server that dies has
   * renewed its row at most one period before, so the row goes at least two periods after the
   * death; its Lease must not count any more by then, or the row's end would look like an old
   * server's arrival.
   */
  Duration patienceWithLease(Duration renewInterval) {
    var shorter = period.multipliedBy(MISSED_HEARTBEATS).dividedBy(2);
    var missed = renewInterval.multipliedBy(IdentityOptions.MISSED_RENEWALS);
    return shorter.compareTo(missed) > 0 ? shorter : missed;
  }
}
