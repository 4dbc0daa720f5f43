package dev.muster.clusterset.conformance;

import static dev.muster.clusterset.conformance.FleetRequirement.*;

import dev.muster.clusterset.conformance.FleetObservation.Row;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Coordinated discovery: servers say what they serve, and discovery says whether all agree. */
final class DiscoveryChecks {
  /** Three periods of five minutes, and some time to be late. */
  private static final Duration STALE = Duration.ofMinutes(20);

  private DiscoveryChecks() {}

  static void run(FleetObservation seen, FleetFindings findings) {
    boolean told =
        seen.discovery().values().stream()
            .anyMatch(its -> its.consistent().values().stream().anyMatch(Optional::isPresent));
    if (!told && seen.rows().isEmpty()) {
      findings.notImplemented(
          Document.DISCOVERY, "there is neither Consistent nor DiscoveryDocHashes");
      return;
    }
    var missing = new ArrayList<String>();
    seen.discovery()
        .forEach(
            (server, its) ->
                its.consistent()
                    .forEach(
                        (path, value) -> {
                          if (value.isEmpty()) {
                            missing.add(path + " of " + server + " lacks it");
                          }
                        }));
    findings.add(DISCOVERY_FIELD, missing);
    var rows = seen.rows().orElse(List.of());
    var unreported = unreported(seen, rows);
    findings.add(DISCOVERY_REPORTED, unreported);
    long hashes = rows.stream().map(Row::hash).distinct().count();
    agreement(seen, findings, hashes == 1 && unreported.isEmpty(), doubt(seen, rows));
    same(seen, findings);
    var now = seen.now();
    findings.add(
        DISCOVERY_COLLECTED,
        rows.stream()
            .filter(
                row -> row.heartbeat().filter(time -> time.plus(STALE).isBefore(now)).isPresent())
            .map(row -> row.id() + " was updated last at " + row.heartbeat().orElseThrow())
            .toList());
  }

  private static List<String> unreported(FleetObservation seen, List<Row> rows) {
    var wrong = new ArrayList<String>();
    if (seen.rows().isEmpty()) {
      wrong.add("there are no DiscoveryDocHashes");
    }
    for (var row : rows) {
      if (row.id().isEmpty() || row.hash().isEmpty() || row.heartbeat().isEmpty()) {
        wrong.add("the entry of \"" + row.id() + "\" lacks a field");
      }
    }
    var reporting = rows.stream().map(Row::id).collect(Collectors.toSet());
    for (var server : seen.living()) {
      if (!reporting.contains(server.id())) {
        wrong.add(server.id() + " has no entry");
      }
    }
    return wrong;
  }

  /**
   * Whether there is a Lease without an entry that may be of a living server: a fleet that has not
   * seen it renewed for long may say either.
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
    seen.discovery()
        .forEach(
            (server, its) ->
                its.consistent()
                    .forEach(
                        (path, value) -> {
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
    findings.add(DISCOVERY_TOLD, wrong);
    findings.add(DISCOVERY_AGREED, disagreeing);
  }

  private static void same(FleetObservation seen, FleetFindings findings) {
    if (seen.discovery().size() < 2) {
      findings.skip(DISCOVERY_SAME, "only one server was given");
      return;
    }
    boolean all =
        seen.discovery().values().stream()
            .flatMap(its -> its.consistent().values().stream())
            .allMatch(value -> value.orElse(false));
    if (!all) {
      findings.skip(DISCOVERY_SAME, "discovery does not say that it is consistent");
      return;
    }
    var first = seen.discovery().firstEntry();
    var wrong = new ArrayList<String>();
    seen.discovery()
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
    findings.add(DISCOVERY_SAME, wrong);
  }
}
