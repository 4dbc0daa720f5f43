package dev.muster.controllers.client;

import io.fabric8.kubernetes.api.model.APIGroup;
import io.fabric8.kubernetes.api.model.APIResource;
import io.fabric8.kubernetes.api.model.GroupVersionForDiscovery;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What a server serves, as its discovery tells: each resource once, in the version that its server
 * prefers.
 *
 * @param versions each resource in every version that is served
 * @param failures what could not be discovered; the rest is there all the same
 */
public record Discovery(List<Served> resources, List<Served> versions, List<String> failures) {

  /** One resource and what can be done with it. */
  public record Served(ResourceDefinitionContext context, Set<String> verbs) {
    /** Its plural and group, as in {@code deployments.apps}; the core group leaves a dot. */
    public String name() {
      return context.getPlural() + "." + context.getGroup();
    }

    public boolean can(String verb) {
      return verbs.contains(verb);
    }

    public boolean namespaced() {
      return context.isNamespaceScoped();
    }
  }

  /** In two requests where the server can tell it so, in one for each group version elsewhere. */
  public static Discovery of(KubernetesClient client) {
    return AggregatedDiscovery.of(new ApiRequests(client)).orElseGet(() -> ofEach(client));
  }

  private static Discovery ofEach(KubernetesClient client) {
    var found = new ArrayList<Served>();
    var versions = new ArrayList<Served>();
    var failures = new ArrayList<String>();
    add(client, "", "v1", new HashSet<>(), found, versions, failures);
    for (var group : client.getApiGroups().getGroups()) {
      var seen = new HashSet<String>();
      for (var version : preferredFirst(group)) {
        add(client, group.getName(), version, seen, found, versions, failures);
      }
    }
    return new Discovery(found, versions, failures);
  }

  private static Set<String> preferredFirst(APIGroup group) {
    var versions = new LinkedHashSet<String>();
    if (group.getPreferredVersion() != null) {
      versions.add(group.getPreferredVersion().getVersion());
    }
    group.getVersions().stream()
        .map(GroupVersionForDiscovery::getVersion)
        .forEachOrdered(versions::add);
    return versions;
  }

  private static void add(
      KubernetesClient client,
      String group,
      String version,
      Set<String> seen,
      List<Served> found,
      List<Served> versions,
      List<String> failures) {
    var groupVersion = group.isEmpty() ? version : group + "/" + version;
    try {
      var list = client.getApiResources(groupVersion);
      if (list == null) {
        return;
      }
      for (var resource : list.getResources()) {
        if (resource.getName().contains("/")) {
          continue;
        }
        var served = served(group, version, resource);
        versions.add(served);
        if (seen.add(resource.getName())) {
          found.add(served);
        }
      }
    } catch (KubernetesClientException e) {
      failures.add(groupVersion + ": " + e.getMessage());
    }
  }

  private static Served served(String group, String version, APIResource resource) {
    SortedSet<String> verbs = new TreeSet<>(resource.getVerbs());
    return new Served(
        new ResourceDefinitionContext.Builder()
            .withGroup(group)
            .withVersion(version)
            .withKind(resource.getKind())
            .withPlural(resource.getName())
            .withNamespaced(Boolean.TRUE.equals(resource.getNamespaced()))
            .build(),
        verbs);
  }
}
