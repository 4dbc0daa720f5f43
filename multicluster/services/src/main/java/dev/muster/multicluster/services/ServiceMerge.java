package dev.muster.multicluster.services;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Merges all clusters' exports of a service. Where they differ, the oldest export takes precedence;
 * ports are united. Every member computes the same result.
 *
 * @param service the merged service
 * @param clusters that export it, by ID
 * @param precedence the same clusters, in order of precedence
 * @param conflicts the reasons for the condition Conflict; empty if all agree
 */
record ServiceMerge(
    ExportedService service,
    List<String> clusters,
    List<String> precedence,
    List<String> conflicts) {
  private static final Comparator<ExportedService> OLDEST_FIRST =
      Comparator.comparing(ExportedService::created).thenComparing(ExportedService::cluster);

  /** A field that must be equal in all exports, and the reason of a conflict. */
  private record Rule(String reason, Function<ExportedService, Object> value) {}

  private static final List<Rule> RULES =
      List.of(
          new Rule("TypeConflict", ExportedService::headless),
          new Rule("SessionAffinityConflict", ExportedService::sessionAffinity),
          new Rule("SessionAffinityConfigConflict", ExportedService::sessionAffinityConfig),
          new Rule("LabelsConflict", ExportedService::labels),
          new Rule("AnnotationsConflict", ExportedService::annotations),
          new Rule("InternalTrafficPolicyConflict", ExportedService::internalTrafficPolicy),
          new Rule("TrafficDistributionConflict", ExportedService::trafficDistribution),
          new Rule("IPFamilyConflict", service -> Set.copyOf(service.ipFamilies())));

  ServiceMerge {
    clusters = List.copyOf(clusters);
    precedence = List.copyOf(precedence);
    conflicts = List.copyOf(conflicts);
  }

  /** Merges one or more exports. */
  static ServiceMerge of(Collection<ExportedService> exports) {
    var sorted = exports.stream().sorted(OLDEST_FIRST).toList();
    var oldest = sorted.getFirst();
    var conflicts = new ArrayList<String>();
    var ports = new ArrayList<ServicePortSpec>();
    boolean portsAgree = true;
    for (var export : sorted) {
      portsAgree &= unite(ports, export.ports());
    }
    if (!portsAgree) {
      conflicts.add("PortConflict");
    }
    for (var rule : RULES) {
      var first = rule.value().apply(oldest);
      if (!sorted.stream().allMatch(export -> rule.value().apply(export).equals(first))) {
        conflicts.add(rule.reason());
      }
    }
    var clusters = new TreeSet<String>();
    sorted.forEach(export -> clusters.add(export.cluster()));
    return new ServiceMerge(
        oldest.withPorts(ports),
        List.copyOf(clusters),
        sorted.stream().map(ExportedService::cluster).toList(),
        conflicts);
  }

  /**
   * Whether all ports could be added; a port is identified by name, or by number if it has none.
   */
  private static boolean unite(List<ServicePortSpec> ports, List<ServicePortSpec> more) {
    boolean agree = true;
    for (var port : more) {
      var same =
          ports.stream()
              .filter(other -> other.name().equals(port.name()) || other.sameNumber(port))
              .filter(other -> !port.name().isEmpty() || other.sameNumber(port))
              .toList();
      if (same.isEmpty()) {
        ports.add(port);
      } else {
        agree &= same.equals(List.of(port));
      }
    }
    return agree;
  }

  String reason() {
    return conflicts.isEmpty() ? "NoConflicts" : String.join(",", conflicts);
  }

  /** The differences and the cluster that takes precedence, for users. */
  String message() {
    return conflicts.isEmpty()
        ? "all clusters export the same"
        : "clusters %s differ; the export of %s is the oldest and decides"
            .formatted(String.join(", ", clusters), service.cluster());
  }
}
