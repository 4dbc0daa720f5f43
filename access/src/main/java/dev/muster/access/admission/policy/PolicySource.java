package dev.muster.access.admission.policy;

import dev.muster.registry.types.ClusterView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Safe for any thread: the policies that are in force in a cluster. They are read again when one of
 * them or of their bindings has changed, and those that have not stay compiled.
 */
final class PolicySource {
  /** A policy with all that puts it in force, in the order of names. */
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
  private volatile Known known = new Known(-1, -1, List.of(), Map.of());

  private PolicySource(String policies, String bindings, boolean mutates) {
    this.policies = policies;
    this.bindings = bindings;
    this.mutates = mutates;
  }

  static PolicySource validating() {
    return new PolicySource(
        "/validatingadmissionpolicies", "/validatingadmissionpolicybindings", false);
  }

  static PolicySource mutating() {
    return new PolicySource("/mutatingadmissionpolicies", "/mutatingadmissionpolicybindings", true);
  }

  /** What is in force in that very view, in the order of names. */
  List<Bound> in(ClusterView cluster) {
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
    var byPolicy = new TreeMap<String, List<Binding>>();
    for (var object : cluster.list(bindings, "")) {
      var binding = Binding.of(object);
      byPolicy.computeIfAbsent(binding.policy(), ignored -> new ArrayList<>()).add(binding);
    }
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
