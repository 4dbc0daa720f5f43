package dev.muster.multicluster.conformance;

import dev.muster.multicluster.conformance.Finding.Result;
import dev.muster.multicluster.rules.ClusterIdRules;
import dev.muster.multicluster.rules.DnsNames;
import dev.muster.multicluster.rules.PropertyRules;
import dev.muster.multicluster.rules.PropertyVerdict;
import dev.muster.multicluster.rules.WellKnownProperties;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Checks the cluster properties of any clusters. Trial writes are dry runs, except changes of a
 * member's well-known properties. Those run only with {@code destructive}, and are undone if the
 * cluster accepts them. Not thread-safe. Blocks the caller.
 */
public final class AboutSuite {
  private static final String PROBE = "muster-conformance";

  private final SortedMap<String, KubernetesClient> clusters;
  private final boolean destructive;
  private final List<Finding> findings = new ArrayList<>();

  /** The IDs of the members of each set, by cluster, to check uniqueness. */
  private final Map<String, SortedMap<String, String>> members = new HashMap<>();

  /**
   * @param clusters by the names in findings
   */
  public AboutSuite(SortedMap<String, KubernetesClient> clusters, boolean destructive) {
    this.clusters = clusters;
    this.destructive = destructive;
  }

  public List<Finding> run() {
    clusters.forEach(this::remember);
    clusters.forEach(this::check);
    return List.copyOf(findings);
  }

  private void remember(String cluster, KubernetesClient client) {
    var all = PropertyClient.of(client).map(PropertyClient::all).orElseGet(TreeMap::new);
    var id = all.get(WellKnownProperties.CLUSTER_ID);
    var set = all.get(WellKnownProperties.CLUSTER_SET);
    if (id != null && set != null) {
      members.computeIfAbsent(set, name -> new TreeMap<>()).put(cluster, id);
    }
  }

  private void check(String cluster, KubernetesClient client) {
    var served = PropertyClient.of(client);
    add(
        cluster,
        AboutRequirement.SERVED,
        served.isPresent(),
        served.map(found -> found.version() + " is served").orElse(""),
        "the cluster serves no such");
    if (served.isEmpty()) {
      for (var requirement : AboutRequirement.values()) {
        if (requirement != AboutRequirement.SERVED) {
          skip(cluster, requirement, "there is no ClusterProperty");
        }
      }
      return;
    }
    var properties = served.get();
    var all = properties.all();
    values(cluster, properties);
    names(cluster, properties, all);
    var id = Optional.ofNullable(all.get(WellKnownProperties.CLUSTER_ID));
    var set = Optional.ofNullable(all.get(WellKnownProperties.CLUSTER_SET));
    id(cluster, id, set);
    membership(cluster, properties, id, set);
  }

  private void values(String cluster, PropertyClient properties) {
    var name = PROBE + ".example.com";
    var none = properties.wouldCreate(name, Map.of());
    add(
        cluster,
        AboutRequirement.VALUE_REQUIRED,
        !none.taken(),
        refusal(none),
        "one without a value is taken");
    var flag = "\uD83C\uDDFA\uD83C\uDDF8";
    var longest = flag.repeat(PropertyRules.LONGEST_VALUE / 2);
    var fits = properties.wouldCreate(name, Map.of("value", longest));
    add(
        cluster,
        AboutRequirement.VALUE_LENGTH,
        fits.taken(),
        "128000 code points would be taken",
        fits.message());
    var excess = properties.wouldCreate(name, Map.of("value", longest + "x"));
    add(
        cluster,
        AboutRequirement.VALUE_LIMIT,
        !excess.taken(),
        refusal(excess),
        "128001 code points are taken");
  }

  private void names(String cluster, PropertyClient properties, SortedMap<String, String> all) {
    var reserved =
        all.keySet().stream()
            .filter(name -> name.endsWith(".k8s.io") || name.endsWith(".kubernetes.io"))
            .filter(name -> !WellKnownProperties.includes(name))
            .toList();
    if (reserved.isEmpty() && all.isEmpty()) {
      skip(cluster, AboutRequirement.NAMES_RESERVED, "there is no ClusterProperty");
    } else {
      add(
          cluster,
          AboutRequirement.NAMES_RESERVED,
          reserved.isEmpty(),
          all.size() + " ClusterProperties, none with a reserved suffix but the well-known",
          "there is " + reserved);
    }
    var refused = properties.wouldCreate(PROBE + ".k8s.io", Map.of("value", "x"));
    add(
        cluster,
        AboutRequirement.NAMES_REFUSED,
        !refused.taken(),
        refusal(refused),
        PROBE + ".k8s.io is taken");
    var suffixed = properties.wouldCreate(PROBE + ".example.com", Map.of("value", "x"));
    var bare = properties.wouldCreate(PROBE, Map.of("value", "x"));
    add(
        cluster,
        AboutRequirement.NAMES_FREE,
        suffixed.taken() && bare.taken(),
        PROBE + " and " + PROBE + ".example.com would be taken",
        suffixed.message() + bare.message());
  }

  private void id(String cluster, Optional<String> id, Optional<String> set) {
    if (set.isPresent()) {
      add(
          cluster,
          AboutRequirement.ID_EXISTS,
          id.isPresent(),
          id.map(text -> "a member of " + set.get() + " has \"" + text + "\"").orElse(""),
          "a member of " + set.get() + " has none");
    } else {
      skip(cluster, AboutRequirement.ID_EXISTS, "the cluster is in no ClusterSet");
    }
    if (id.isEmpty()) {
      for (var requirement :
          List.of(
              AboutRequirement.ID_SUBDOMAIN,
              AboutRequirement.ID_LENGTH,
              AboutRequirement.ID_DNS,
              AboutRequirement.ID_UNIQUE)) {
        skip(cluster, requirement, "the cluster has no ID");
      }
      return;
    }
    var text = id.get();
    add(
        cluster,
        AboutRequirement.ID_SUBDOMAIN,
        DnsNames.isSubdomain(text),
        "it is \"" + text + "\"",
        "it is \"" + text + "\"");
    add(
        cluster,
        AboutRequirement.ID_LENGTH,
        text.length() < ClusterIdRules.LONG,
        "it has " + text.length() + " characters",
        "it has " + text.length() + " characters");
    add(
        cluster,
        AboutRequirement.ID_DNS,
        !(new ClusterIdRules(true).evaluate(text) instanceof PropertyVerdict.Refused),
        "it is \"" + text + "\"",
        "it is \"" + text + "\"");
    if (set.isEmpty()) {
      skip(cluster, AboutRequirement.ID_UNIQUE, "the cluster is in no ClusterSet");
    } else {
      unique(cluster, text, members.getOrDefault(set.get(), new TreeMap<>()));
    }
  }

  private void unique(String cluster, String id, SortedMap<String, String> ids) {
    var others = new TreeMap<>(ids);
    others.remove(cluster);
    if (others.isEmpty()) {
      skip(cluster, AboutRequirement.ID_UNIQUE, "no other member of its ClusterSet was asked");
      return;
    }
    var same = new TreeMap<>(others);
    same.values().removeIf(each -> !each.equals(id));
    add(
        cluster,
        AboutRequirement.ID_UNIQUE,
        same.isEmpty(),
        "it is \"%s\", and %d other members have others".formatted(id, others.size()),
        String.join(", ", same.keySet()) + " has \"" + id + "\" as well");
  }

  private void membership(
      String cluster, PropertyClient properties, Optional<String> id, Optional<String> set) {
    if (set.isPresent()) {
      add(
          cluster,
          AboutRequirement.SET_CONTENTS,
          !set.get().isBlank(),
          "it is \"" + set.get() + "\"",
          "it is blank");
    } else {
      skip(cluster, AboutRequirement.SET_CONTENTS, "the cluster is in no ClusterSet");
    }
    if (id.isEmpty() && set.isEmpty()) {
      var joins = properties.wouldCreate(WellKnownProperties.CLUSTER_SET, Map.of("value", PROBE));
      add(
          cluster,
          AboutRequirement.SET_NEEDS_ID,
          !joins.taken(),
          refusal(joins),
          "clusterset.k8s.io is taken");
    } else {
      skip(cluster, AboutRequirement.SET_NEEDS_ID, "the cluster has an ID or is a member");
    }
    var tried =
        List.of(
            AboutRequirement.ID_UNCHANGED,
            AboutRequirement.ID_KEPT,
            AboutRequirement.SET_UNCHANGED);
    if (set.isEmpty() || id.isEmpty()) {
      tried.forEach(each -> skip(cluster, each, "the cluster is no member with an ID"));
    } else if (!destructive) {
      tried.forEach(each -> skip(cluster, each, "only --destructive tries to break it"));
    } else {
      tryToBreak(cluster, properties, id.get(), set.get());
    }
  }

  private void tryToBreak(String cluster, PropertyClient properties, String id, String set) {
    var changed = properties.change(WellKnownProperties.CLUSTER_ID, PROBE);
    if (changed.taken()) {
      undo(cluster, properties.change(WellKnownProperties.CLUSTER_ID, id));
    }
    add(
        cluster,
        AboutRequirement.ID_UNCHANGED,
        !changed.taken(),
        refusal(changed),
        "a member's ID could be changed");
    var deleted = properties.delete(WellKnownProperties.CLUSTER_ID);
    if (deleted.taken()) {
      undo(cluster, properties.create(WellKnownProperties.CLUSTER_ID, id));
    }
    add(
        cluster,
        AboutRequirement.ID_KEPT,
        !deleted.taken(),
        refusal(deleted),
        "a member's ID could be deleted");
    var moved = properties.change(WellKnownProperties.CLUSTER_SET, PROBE);
    if (moved.taken()) {
      undo(cluster, properties.change(WellKnownProperties.CLUSTER_SET, set));
    }
    add(
        cluster,
        AboutRequirement.SET_UNCHANGED,
        !moved.taken(),
        refusal(moved),
        "a member's set could be changed");
  }

  /**
   * If a cluster accepts a forbidden change and refuses to undo it, the finding tells the user to
   * repair it.
   */
  private static void undo(String cluster, PropertyClient.Attempt undone) {
    if (!undone.taken()) {
      throw new IllegalStateException(
          cluster + " does not take its own properties back: " + undone.message());
    }
  }

  private void add(
      String cluster,
      AboutRequirement requirement,
      boolean holds,
      String observed,
      String otherwise) {
    findings.add(
        new Finding(
            cluster, requirement, holds ? Result.PASS : Result.FAIL, holds ? observed : otherwise));
  }

  private static String refusal(PropertyClient.Attempt attempt) {
    return "refused: " + attempt.message();
  }

  private void skip(String cluster, AboutRequirement requirement, String why) {
    findings.add(new Finding(cluster, requirement, Result.NOT_OBSERVED, why));
  }
}
