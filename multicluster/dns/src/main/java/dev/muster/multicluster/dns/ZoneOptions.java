package dev.muster.multicluster.dns;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;

/**
 * The settings of the zone.
 *
 * @param zone such as {@code clusterset.local}
 * @param timeToLive of all records and of negative answers
 * @param strict whether {@code <clusterid>.<svc>.<ns>.svc.<zone>} has no records, as KEP-1645
 *     specifies
 * @param nameServers the addresses of {@code ns.dns.<zone>}
 */
public record ZoneOptions(
    String zone, Duration timeToLive, boolean strict, List<InetAddress> nameServers) {
  /** Leaves room for service names and cluster IDs. */
  private static final int LONGEST_ZONE = 127;

  public ZoneOptions {
    zone = DnsLabels.canonical(zone);
    if (!DnsLabels.servable(zone) || zone.length() > LONGEST_ZONE) {
      throw new IllegalArgumentException(
          "the zone must be a domain name of at most %d characters: \"%s\""
              .formatted(LONGEST_ZONE, zone));
    }
    if (timeToLive.toSeconds() < 0 || timeToLive.toDays() > 1) {
      throw new IllegalArgumentException(
          "the time to live must be between nothing and a day: " + timeToLive);
    }
    nameServers = List.copyOf(nameServers);
  }

  int ttl() {
    return (int) timeToLive.toSeconds();
  }
}
