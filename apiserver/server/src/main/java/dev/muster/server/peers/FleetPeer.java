package dev.muster.server.peers;

/**
 * Another server of the fleet.
 *
 * @param id the name of its identity Lease
 * @param host where others of the fleet reach it; "" when it has not said so yet
 */
public record FleetPeer(String id, String host, int port) {
  boolean isReachable() {
    return !host.isEmpty();
  }
}
