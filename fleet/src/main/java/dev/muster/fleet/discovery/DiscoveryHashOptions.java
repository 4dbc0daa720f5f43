package dev.muster.fleet.discovery;

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

  /** After how long without a sign a server does not count any more. */
  Duration patience() {
    return period.multipliedBy(MISSED_HEARTBEATS);
  }
}
