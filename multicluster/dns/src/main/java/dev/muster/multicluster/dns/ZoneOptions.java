package dev.muster.multicluster.dns;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;

/**
 * What is served.
 *
 * @param zone such as {@code clusterset.local}
 * @param timeToLive of all records, and of the answer that there is none
 * @param strict whether {@code <clusterid>.<svc>.<ns>.svc.<zone>} stays without records, as
 *     KEP-1645 wants it
 * @param nameServers the addresses of {@code ns.dns.<zone>}
 */
public record ZoneOptions(
    String zone, Duration timeToLive, boolean strict, List<InetAddress> nameServers) {
  /** So that a service's name and a cluster's ID have room before it. */
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
