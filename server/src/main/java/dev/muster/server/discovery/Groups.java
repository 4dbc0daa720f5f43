package dev.muster.server.discovery;

import dev.muster.schema.ResourceType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The served types by group and version, in the order in which clients prefer them.
 *
 * @param versions of each group, the preferred one first, with their resources by name
 */
record Groups(Map<String, Map<String, List<ResourceType>>> versions) {

  /** Groups in the order of upstream's priorities; others follow by name. */
  private static final List<String> ORDER =
      List.of(
          "",
          "apiregistration.k8s.io",
          "apps",
          "events.k8s.io",
          "authentication.k8s.io",
          "authorization.k8s.io",
          "autoscaling",
          "batch",
          "certificates.k8s.io",
          "networking.k8s.io",
          "policy",
          "rbac.authorization.k8s.io",
          "storage.k8s.io",
          "admissionregistration.k8s.io",
          "apiextensions.k8s.io",
          "scheduling.k8s.io",
          "coordination.k8s.io",
          "node.k8s.io",
          "discovery.k8s.io",
          "resource.k8s.io",
          "flowcontrol.apiserver.k8s.io");

  static Groups of(List<ResourceType> types) {
    var sorted = new ArrayList<>(types);
    sorted.sort(
        Comparator.comparingInt((ResourceType type) -> rank(type.kind().group()))
            .thenComparing(type -> type.kind().group())
            .thenComparing(type -> type.kind().version(), Groups::compareVersions)
            .thenComparing(ResourceType::plural));
    var groups = new LinkedHashMap<String, Map<String, List<ResourceType>>>();
    for (var type : sorted) {
      groups
          .computeIfAbsent(type.kind().group(), group -> new LinkedHashMap<>())
          .computeIfAbsent(type.kind().version(), version -> new ArrayList<>())
          .add(type);
    }
    return new Groups(groups);
  }

  private static int rank(String group) {
    int index = ORDER.indexOf(group);
    return index < 0 ? ORDER.size() : index;
  }

  /** Stable before beta before alpha, higher numbers first. */
  static int compareVersions(String a, String b) {
    int byMaturity = Integer.compare(maturity(b), maturity(a));
    return byMaturity != 0 ? byMaturity : compareNumbers(b, a);
  }

  private static int maturity(String version) {
    return version.contains("alpha") ? 0 : version.contains("beta") ? 1 : 2;
  }

  private static int compareNumbers(String a, String b) {
    var left = numbers(a);
    var right = numbers(b);
    for (int i = 0; i < Math.min(left.size(), right.size()); i++) {
      int order = Integer.compare(left.get(i), right.get(i));
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(left.size(), right.size());
  }

  private static List<Integer> numbers(String version) {
    var found = new ArrayList<Integer>();
    for (var part : version.split("\\D+")) {
      if (!part.isEmpty()) {
        found.add(Integer.valueOf(part));
      }
    }
    return found;
  }
}
