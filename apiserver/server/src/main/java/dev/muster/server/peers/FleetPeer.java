package dev.muster.server.peers;

/**
 * Another API server of the fleet.
 *
 * @param id the name of its identity Lease
 * @param host where its peers reach it; "" when it has not published it yet
 */
public record FleetPeer(String id, String host, int port) {
  boolean isReachable() {
    return !host.isEmpty();
  }
}
