package dev.muster.admission.policy;

import dev.muster.admission.manifest.ManifestSet;
import dev.muster.model.json.JsonObject;
import dev.muster.types.ClusterView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The policies in force in a cluster. After a change of policies or bindings they are read again;
 * unchanged policies stay compiled. Thread-safe.
 */
final class PolicySource {
  /** A policy with its bindings, in the order of names. */
  record Bound(AdmissionPolicy policy, List<Binding> bindings) {}

  private record Revision(String name, long revision) {}

  private record Known(
      long policiesChanged,
      long bindingsChanged,
      List<Bound> bound,
      Map<Revision, AdmissionPolicy> compiled) {}

  private final String policies;
  private final String bindings;
  private final boolean mutates;
  private final Supplier<ManifestSet> manifests;
  private volatile Files files = new Files(ManifestSet.EMPTY, List.of());
  private volatile Known known = new Known(-1, -1, List.of(), Map.of());

  /** The policies from manifest files. */
  private record Files(ManifestSet set, List<Bound> bound) {}

  private PolicySource(
      String policies, String bindings, boolean mutates, Supplier<ManifestSet> manifests) {
    this.policies = policies;
    this.bindings = bindings;
    this.mutates = mutates;
    this.manifests = manifests;
  }

  /**
   * @param manifests policies from manifest files
   */
  static PolicySource validating(Supplier<ManifestSet> manifests) {
    return new PolicySource(
        "/validatingadmissionpolicies", "/validatingadmissionpolicybindings", false, manifests);
  }

  /**
   * @param manifests policies from manifest files
   */
  static PolicySource mutating(Supplier<ManifestSet> manifests) {
    return new PolicySource(
        "/mutatingadmissionpolicies", "/mutatingadmissionpolicybindings", true, manifests);
  }

  /** The policies in force: first those from files, then those of this view by name. */
  List<Bound> in(ClusterView cluster) {
    var first = ofFiles();
    var others = ofApi(cluster);
    if (first.isEmpty() || others.isEmpty()) {
      return first.isEmpty() ? others : first;
    }
    var all = new ArrayList<>(first);
    all.addAll(others);
    return all;
  }

  /** Only the policies from files, which cannot lock out API users. */
  List<Bound> ofFiles() {
    var now = manifests.get();
    var read = files;
    if (read.set() != now) {
      var byPolicy = byPolicy(now.bindings());
      var bound = new ArrayList<Bound>();
      for (var object : now.objects()) {
        var policy = new AdmissionPolicy(object, mutates);
        var some = byPolicy.get(policy.name());
        if (some != null) {
          bound.add(new Bound(policy, List.copyOf(some)));
        }
      }
      read = new Files(now, List.copyOf(bound));
      files = read;
    }
    return read.bound();
  }

  private static Map<String, List<Binding>> byPolicy(List<JsonObject> bindings) {
    var byPolicy = new TreeMap<String, List<Binding>>();
    for (var object : bindings) {
      var binding = Binding.of(object);
      byPolicy.computeIfAbsent(binding.policy(), ignored -> new ArrayList<>()).add(binding);
    }
    return byPolicy;
  }

  private List<Bound> ofApi(ClusterView cluster) {
    long policiesChanged = cluster.changed(policies);
    long bindingsChanged = cluster.changed(bindings);
    var now = known;
    if (now.policiesChanged() != policiesChanged || now.bindingsChanged() != bindingsChanged) {
      now = read(cluster, policiesChanged, bindingsChanged, now.compiled());
      known = now;
    }
    return now.bound();
  }

  private Known read(
      ClusterView cluster,
      long policiesChanged,
      long bindingsChanged,
      Map<Revision, AdmissionPolicy> before) {
    var byPolicy = byPolicy(cluster.list(bindings, ""));
    var compiled = new HashMap<Revision, AdmissionPolicy>();
    var bound = new LinkedHashMap<String, Bound>();
    byPolicy.forEach(
        (name, some) -> {
          var object = cluster.get(policies, "", name);
          if (object != null) {
            var revision = new Revision(name, cluster.revision(policies, "", name));
            var old = before.get(revision);
            var policy = old == null ? new AdmissionPolicy(object, mutates) : old;
            compiled.put(revision, policy);
            bound.put(name, new Bound(policy, List.copyOf(some)));
          }
        });
    return new Known(
        policiesChanged, bindingsChanged, List.copyOf(bound.values()), Map.copyOf(compiled));
  }
}
