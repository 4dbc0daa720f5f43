package dev.muster.multicluster.conformance;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;

/**
 * The observation of one fleet.
 *
 * @param collected the expired Leases that were deleted during the observation
 * @param discovery by the server that was asked
 * @param ranges the first address of each known service range
 * @param unreached the endpoints that did not answer; empty when none answered
 */
record FleetObservation(
    Duration watched,
    List<FleetIdentity> identities,
    List<String> collected,
    SortedMap<String, Discovery> discovery,
    PublishedFleet published,
    PublishedHistory history,
    List<String> ranges,
    Optional<SortedSet<String>> unreached) {

  /**
   * The discovery of one server.
   *
   * @param consistent by document; empty where the field is missing
   * @param resources the names and verbs of built-in resources, by group and version
   * @param rows the entries of DiscoveryDocHashes; empty when this server has no such API
   */
  record Discovery(
      SortedMap<String, Optional<Boolean>> consistent,
      SortedMap<String, String> resources,
      Optional<List<Row>> rows) {

    /** Whether this server takes part in coordinated discovery. */
    boolean coordinated() {
      return rows.isPresent() || consistent.values().stream().anyMatch(Optional::isPresent);
    }
  }

  /** One server's entry. */
  record Row(String id, String hash, Optional<Instant> heartbeat) {}

  /** The time by the fleet's own clocks: that of the newest renewal of a Lease. */
  Instant now() {
    return identities.stream()
        .filter(FleetIdentity::renewed)
        .flatMap(identity -> identity.renewTime().stream())
        .max(Comparator.naturalOrder())
        .orElseGet(
            () ->
                identities.stream()
                    .flatMap(identity -> identity.renewTime().stream())
                    .max(Comparator.naturalOrder())
                    .orElse(Instant.EPOCH));
  }

  /** The given servers that take part in coordinated discovery. */
  SortedMap<String, Discovery> coordinated() {
    var found = new TreeMap<>(discovery);
    found.values().removeIf(its -> !its.coordinated());
    return found;
  }

  /** The entries in the first server that has the API. */
  List<Row> rows() {
    return discovery.values().stream()
        .flatMap(its -> its.rows().stream())
        .findFirst()
        .orElse(List.of());
  }

  List<FleetIdentity> living() {
    var now = now();
    return identities.stream()
        .filter(identity -> identity.labelled() && identity.lives(watched, now))
        .toList();
  }
}
