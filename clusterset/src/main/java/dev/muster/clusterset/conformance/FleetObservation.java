package dev.muster.clusterset.conformance;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;

/**
 * What was seen of one fleet.
 *
 * @param discovery by the server that was asked
 * @param rows the entries of DiscoveryDocHashes; empty when the fleet has no such API
 * @param ranges the first address of each range of Services that is known
 * @param unreached the endpoints at which nobody was reached; empty when none was reached
 */
record FleetObservation(
    Duration watched,
    List<FleetIdentity> identities,
    SortedMap<String, Discovery> discovery,
    Optional<List<Row>> rows,
    PublishedFleet published,
    PublishedHistory history,
    List<String> ranges,
    Optional<SortedSet<String>> unreached) {

  /**
   * What one server says that it serves.
   *
   * @param consistent by document; empty where the field is missing
   * @param resources the names and verbs of built-in resources, by group and version
   */
  record Discovery(
      SortedMap<String, Optional<Boolean>> consistent, SortedMap<String, String> resources) {}

  /** One server's entry. */
  record Row(String id, String hash, Optional<Instant> heartbeat) {}

  /** The present by the fleet's own clocks: those of whoever has renewed its Lease last. */
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

  List<FleetIdentity> living() {
    var now = now();
    return identities.stream()
        .filter(identity -> identity.labelled() && identity.lives(watched, now))
        .toList();
  }
}
