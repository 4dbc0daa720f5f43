package dev.muster.multicluster.conformance;

import static dev.muster.multicluster.conformance.FleetRequirement.*;

import dev.muster.multicluster.conformance.FleetObservation.Row;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Checks coordinated discovery: servers publish what they serve, and discovery reports whether all
 * agree.
 */
final class DiscoveryChecks {
  /** Three periods of five minutes, plus a margin. */
  private static final Duration STALE = Duration.ofMinutes(20);

  private DiscoveryChecks() {}

  static void run(FleetObservation seen, FleetFindings findings) {
    var coordinated = seen.coordinated();
    if (coordinated.isEmpty()) {
      findings.notImplemented(
          Document.DISCOVERY, "there is neither Consistent nor DiscoveryDocHashes");
      return;
    }
    for (var server : seen.discovery().keySet()) {
      if (!coordinated.containsKey(server)) {
        findings.notImplementedBy(
            server, Document.DISCOVERY, "it has neither Consistent nor DiscoveryDocHashes");
      }
    }
    var missing = new ArrayList<String>();
    coordinated.forEach(
        (server, its) ->
            its.consistent()
                .forEach(
                    (path, value) -> {
                      if (value.isEmpty()) {
                        missing.add(path + " of " + server + " lacks it");
                      }
                    }));
    long documents = coordinated.values().stream().mapToInt(its -> its.consistent().size()).sum();
    findings.add(DISCOVERY_FIELD, missing, documents, "documents have it");
    var rows = seen.rows();
    var unreported = unreported(seen, rows);
    reported(seen, findings, rows, unreported);
    long hashes = rows.stream().map(Row::hash).distinct().count();
    agreement(seen, findings, hashes == 1 && unreported.isEmpty(), doubt(seen, rows));
    same(seen, findings);
    var now = seen.now();
    var old =
        rows.stream()
            .filter(
                row -> row.heartbeat().filter(time -> time.plus(STALE).isBefore(now)).isPresent())
            .map(row -> row.id() + " was updated last at " + row.heartbeat().orElseThrow())
            .toList();
    if (old.isEmpty()) {
      findings.notObserved(DISCOVERY_COLLECTED, "no entry was seen to get old or to be removed");
    } else {
      findings.fail(DISCOVERY_COLLECTED, String.join("; ", old));
    }
  }

  private static void reported(
      FleetObservation seen, FleetFindings findings, List<Row> rows, List<String> unreported) {
    var wrong = new ArrayList<String>();
    seen.coordinated()
        .forEach(
            (server, its) -> {
              if (its.rows().isEmpty()) {
                wrong.add(server + " has no DiscoveryDocHashes");
              }
            });
    for (var row : rows) {
      if (row.id().isEmpty() || row.hash().isEmpty() || row.heartbeat().isEmpty()) {
        wrong.add("the entry of \"" + row.id() + "\" lacks a field");
      }
    }
    // A Lease does not tell which of the given servers it belongs to.
    int others = seen.discovery().size() - seen.coordinated().size();
    if (unreported.size() > others) {
      unreported.forEach(id -> wrong.add(id + " has no entry"));
    }
    findings.add(DISCOVERY_REPORTED, wrong, rows.size(), "entries with ID, hash and heartbeat");
  }

  private static List<String> unreported(FleetObservation seen, List<Row> rows) {
    var reporting = rows.stream().map(Row::id).collect(Collectors.toSet());
    return seen.living().stream()
        .map(FleetIdentity::id)
        .filter(id -> !reporting.contains(id))
        .toList();
  }

  /**
   * Whether a Lease without an entry may belong to a live server, which cannot be decided before
   * its next renewals.
   */
  private static boolean doubt(FleetObservation seen, List<Row> rows) {
    var reporting = rows.stream().map(Row::id).collect(Collectors.toSet());
    var now = seen.now();
    return seen.identities().stream()
        .filter(lease -> lease.labelled() && !reporting.contains(lease.id()))
        .anyMatch(
            lease ->
                lease.renewTime().isPresent()
                    && lease.duration().isPresent()
                    && lease.renewTime().get().plus(lease.duration().get()).isAfter(now));
  }

  private static void agreement(
      FleetObservation seen, FleetFindings findings, boolean equal, boolean doubt) {
    var wrong = new ArrayList<String>();
    var disagreeing = new ArrayList<String>();
    var said = new TreeMap<Boolean, Integer>();
    seen.coordinated()
        .forEach(
            (server, its) ->
                its.consistent()
                    .forEach(
                        (path, value) -> {
                          value.ifPresent(told -> said.merge(told, 1, Integer::sum));
                          if (value.isPresent()
                              && value.get() != equal
                              && (value.get() || !doubt)) {
                            wrong.add(
                                "%s of %s says %s, and the hashes are %s"
                                    .formatted(
                                        path, server, value.get(), equal ? "equal" : "not equal"));
                          }
                          if (value.isPresent() && !value.get()) {
                            disagreeing.add(path + " of " + server + " says false");
                          }
                        }));
    if (!wrong.isEmpty()) {
      findings.fail(DISCOVERY_TOLD, String.join("; ", wrong));
    } else if (said.isEmpty() || seen.rows().isEmpty()) {
      findings.notObserved(DISCOVERY_TOLD, "there is no entry, or no document says anything");
    } else {
      findings.pass(
          DISCOVERY_TOLD,
          "%d documents say true and %d false, of %d entries whose hashes are %s"
              .formatted(
                  said.getOrDefault(true, 0),
                  said.getOrDefault(false, 0),
                  seen.rows().size(),
                  equal ? "equal" : "not equal, or not of all servers"));
    }
    findings.add(
        DISCOVERY_AGREED, disagreeing, said.getOrDefault(true, 0), "documents say that all agree");
  }

  private static void same(FleetObservation seen, FleetFindings findings) {
    if (seen.coordinated().size() < 2) {
      findings.notObserved(
          DISCOVERY_SAME, "fewer than two servers with coordinated discovery were given");
      return;
    }
    boolean all =
        seen.coordinated().values().stream()
            .flatMap(its -> its.consistent().values().stream())
            .allMatch(value -> value.orElse(false));
    if (!all) {
      findings.notObserved(DISCOVERY_SAME, "discovery does not say that it is consistent");
      return;
    }
    var first = seen.coordinated().firstEntry();
    var wrong = new ArrayList<String>();
    seen.coordinated()
        .forEach(
            (server, its) -> {
              var differing = new TreeSet<>(its.resources().keySet());
              differing.addAll(first.getValue().resources().keySet());
              differing.removeIf(
                  each ->
                      its.resources()
                          .getOrDefault(each, "")
                          .equals(first.getValue().resources().getOrDefault(each, "")));
              if (!differing.isEmpty()) {
                wrong.add(server + " and " + first.getKey() + " differ in " + differing);
              }
            });
    int compared = first.getValue().resources().size();
    findings.add(
        DISCOVERY_SAME,
        wrong,
        compared,
        "group versions are the same on " + seen.coordinated().size() + " servers");
  }
}
