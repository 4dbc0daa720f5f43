package dev.muster.cli.status;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What one API server says of the whole fleet.
 *
 * @param askedUrl the server that answered
 * @param consistent what its discovery says; empty when it says nothing
 * @param endpoints the addresses of the {@code kubernetes} Service by family
 * @param cluster which cluster it is
 * @param leader the controller manager that is active; null when there is none
 */
public record FleetStatus(
    String askedUrl,
    String version,
    Instant now,
    List<Server> servers,
    Optional<Boolean> consistent,
    List<String> serviceAddresses,
    SortedMap<String, List<String>> endpoints,
    Cluster cluster,
    @Nullable Leader leader,
    Health health) {

  /** How a server is. */
  public enum State {
    /** It has renewed its Lease within three intervals. */
    LIVE,
    /** It has not; it hangs, lost the store or is gone. */
    LATE,
    /** Its Lease waits to be collected. */
    EXPIRED,
    /** It reports what it serves, but has no Lease. */
    NO_LEASE;

    String text() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  /**
   * One API server.
   *
   * @param heartbeat when it renewed its Lease last, by its own clock
   * @param silence how long ago it was seen to renew it; null when nobody has watched it
   * @param hash of what it serves; "" when it does not say
   * @param agrees whether most servers have its hash
   */
  public record Server(
      String id,
      String hostname,
      State state,
      @Nullable Instant started,
      @Nullable Instant heartbeat,
      @Nullable Duration silence,
      List<String> addresses,
      String hash,
      boolean agrees) {

    /** How far its clock is ahead of ours, or (negative) behind; null when that cannot be told. */
    @Nullable Duration clockOffset(Instant now) {
      return heartbeat == null || silence == null || state != State.LIVE
          ? null
          : Duration.between(now.minus(silence), heartbeat);
    }
  }

  /**
   * What the cluster says of itself.
   *
   * @param id "" when it has none
   * @param clusterSet "" when it is in none
   */
  public record Cluster(String id, String clusterSet) {}

  /** Who leads, and since when. */
  public record Leader(
      String lease, String holder, @Nullable Instant acquired, @Nullable Instant renewed) {}

  /**
   * How the server that was asked is.
   *
   * @param store whether it is in contact with the store
   * @param failing checks that do not pass
   */
  public record Health(boolean ready, boolean store, List<String> failing) {}

  /** The servers by what they serve; those that do not say are left out. */
  SortedMap<String, List<String>> byHash() {
    var found = new TreeMap<String, List<String>>();
    for (var server : servers) {
      if (!server.hash().isEmpty()) {
        found.computeIfAbsent(server.hash(), hash -> new ArrayList<>()).add(server.id());
      }
    }
    return found;
  }

  /** Servers that live and do not say what they serve. */
  List<String> silent() {
    return servers.stream()
        .filter(server -> server.hash().isEmpty() && server.state() != State.EXPIRED)
        .map(Server::id)
        .toList();
  }
}
