package dev.muster.model.quota;

import dev.muster.model.Quantity;
import dev.muster.model.Timestamps;
import dev.muster.model.json.JsonObject;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Measures pods and their requests and limits until they end. */
public final class PodMeasure implements Measure {
  private static final String COUNT = "count/pods";
  private static final Set<String> NAMES =
      Set.of(
          COUNT,
          "cpu",
          "memory",
          "ephemeral-storage",
          "requests.cpu",
          "requests.memory",
          "requests.ephemeral-storage",
          "limits.cpu",
          "limits.memory",
          "limits.ephemeral-storage",
          "pods");

  /**
   * The resources that every container must declare when a quota limits them. Upstream regrets this
   * rule, but keeps it.
   */
  private static final Set<String> MUST_BE_SAID =
      Set.of("cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory");

  private static final Set<String> COMPUTE = Set.of("cpu", "memory");

  private final InstantSource clock;

  public PodMeasure(InstantSource clock) {
    this.clock = clock;
  }

  /** Whether a pod has a deadline. */
  public static boolean ends(JsonObject pod) {
    return pod.object("spec").integer("activeDeadlineSeconds", -1) >= 0;
  }

  @Override
  public List<String> matching(Collection<String> names) {
    return names.stream()
        .filter(
            name ->
                NAMES.contains(name)
                    || name.startsWith("hugepages-")
                    || name.startsWith("requests.hugepages-")
                    || isExtended(name))
        .sorted()
        .toList();
  }

  static boolean isExtended(String name) {
    boolean foreign = name.contains("/") && !name.contains("kubernetes.io/");
    return name.startsWith("requests.")
        && (foreign || name.startsWith("requests.deviceclass.resource.kubernetes.io/"));
  }

  @Override
  public boolean matchesScope(JsonObject requirement, JsonObject pod) {
    return switch (requirement.string("scopeName")) {
      case "Terminating" -> ends(pod);
      case "NotTerminating" -> !ends(pod);
      case "BestEffort" -> isBestEffort(pod);
      case "NotBestEffort" -> !isBestEffort(pod);
      case "PriorityClass" -> {
        var name = pod.object("spec").string("priorityClassName");
        yield Scopes.matches(requirement, name.isEmpty() ? null : name);
      }
      case "CrossNamespacePodAffinity" -> crossesNamespaces(pod);
      default -> false;
    };
  }

  private static boolean isBestEffort(JsonObject pod) {
    var said = pod.object("status").string("qosClass");
    if (!said.isEmpty()) {
      return said.equals("BestEffort");
    }
    var spec = pod.object("spec");
    var all = new ArrayList<JsonObject>();
    if (PodUsage.isPodLevel(spec)) {
      all.add(spec.object("resources"));
    } else {
      for (var field : List.of("containers", "initContainers")) {
        spec.array(field).objects().forEach(container -> all.add(container.object("resources")));
      }
    }
    return all.stream()
        .flatMap(
            resources ->
                List.of("requests", "limits").stream()
                    .map(field -> ResourceList.of(resources.object(field))))
        .noneMatch(list -> COMPUTE.stream().anyMatch(name -> list.get(name).signum() > 0));
  }

  private static boolean crossesNamespaces(JsonObject pod) {
    var affinity = pod.object("spec", "affinity");
    for (var kind : List.of("podAffinity", "podAntiAffinity")) {
      var terms = affinity.object(kind);
      for (var term : terms.array("requiredDuringSchedulingIgnoredDuringExecution").objects()) {
        if (crosses(term)) {
          return true;
        }
      }
      for (var term : terms.array("preferredDuringSchedulingIgnoredDuringExecution").objects()) {
        if (crosses(term.object("podAffinityTerm"))) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean crosses(JsonObject term) {
    return !term.array("namespaces").isEmpty() || term.has("namespaceSelector");
  }

  @Override
  public String lacks(Collection<String> required, JsonObject pod) {
    var spec = pod.object("spec");
    if (PodUsage.isPodLevel(spec)) {
      return "";
    }
    var missing = new TreeMap<String, TreeSet<String>>();
    for (var field : List.of("containers", "initContainers")) {
      for (var container : spec.array(field).objects()) {
        var resources = container.object("resources");
        var said =
            compute(
                ResourceList.of(resources.object("requests")),
                ResourceList.of(resources.object("limits")));
        for (var name : required) {
          if (MUST_BE_SAID.contains(name) && !said.has(name)) {
            missing.computeIfAbsent(name, k -> new TreeSet<>()).add(container.string("name"));
          }
        }
      }
    }
    var parts = new ArrayList<String>();
    missing.forEach((name, who) -> parts.add(name + " for: " + String.join(",", who)));
    return parts.isEmpty() ? "" : "must specify " + String.join("; ", parts);
  }

  @Override
  public ResourceList usage(JsonObject pod) {
    var usage = new ResourceList();
    usage.put(COUNT, Quantity.of(1));
    if (lives(pod)) {
      var spec = pod.object("spec");
      var status = pod.object("status");
      usage.add(compute(PodUsage.requests(spec, status), PodUsage.limits(spec, status)));
    }
    return usage;
  }

  /** Whether a pod is neither finished nor past its deletion deadline. */
  private boolean lives(JsonObject pod) {
    var phase = pod.object("status").string("phase");
    if (phase.equals("Failed") || phase.equals("Succeeded")) {
      return false;
    }
    var metadata = pod.object("metadata");
    var deleted = Timestamps.read(metadata.get("deletionTimestamp"));
    return deleted == null
        || !metadata.has("deletionGracePeriodSeconds")
        || !clock
            .instant()
            .isAfter(deleted.plusSeconds(metadata.integer("deletionGracePeriodSeconds", 0)));
  }

  private static ResourceList compute(ResourceList requests, ResourceList limits) {
    var usage = new ResourceList();
    usage.put("pods", Quantity.of(1));
    for (var name : List.of("cpu", "memory", "ephemeral-storage")) {
      if (requests.has(name)) {
        usage.put(name, requests.get(name));
        usage.put("requests." + name, requests.get(name));
      }
      if (limits.has(name)) {
        usage.put("limits." + name, limits.get(name));
      }
    }
    requests
        .amounts()
        .forEach(
            (name, amount) -> {
              if (name.startsWith("hugepages-")) {
                usage.put(name, amount);
                usage.put("requests." + name, amount);
              }
              if (isExtended("requests." + name)) {
                usage.put("requests." + name, amount);
              }
            });
    return usage;
  }
}
