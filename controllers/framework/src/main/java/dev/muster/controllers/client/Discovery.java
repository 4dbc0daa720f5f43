package dev.muster.controllers.client;

import dev.muster.model.json.JsonObject;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The resources that a server serves, each once, in the version that the server prefers.
 *
 * @param versions each resource in every served version
 * @param failures group versions that could not be discovered; the rest is complete
 */
public record Discovery(List<Served> resources, List<Served> versions, List<String> failures) {
  private static final String JSON = "application/json";
  private static final int NOT_FOUND = 404;

  /** A resource and its verbs. */
  public record Served(ResourceDefinitionContext context, Set<String> verbs) {
    /**
     * Plural and group, as in {@code deployments.apps}; for the core group the name ends with a
     * dot.
     */
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

  public static Discovery of(KubernetesClient client) {
    return of(new ApiRequests(client));
  }

  /** Uses two requests with aggregated discovery, otherwise one for each group version. */
  public static Discovery of(ApiRequests requests) {
    return AggregatedDiscovery.of(requests).orElseGet(() -> ofEach(requests));
  }

  private static Discovery ofEach(ApiRequests requests) {
    var found = new Discovery(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    found.add(requests, "", "v1", new HashSet<>());
    var groups = JsonTrees.object(requests.send("GET", "/apis", JSON).orThrow()).array("groups");
    for (var group : groups.objects()) {
      var seen = new HashSet<String>();
      for (var version : preferredFirst(group)) {
        found.add(requests, group.string("name"), version, seen);
      }
    }
    return found;
  }

  private static Set<String> preferredFirst(JsonObject group) {
    var versions = new LinkedHashSet<String>();
    versions.add(group.object("preferredVersion").string("version"));
    group.array("versions").objects().forEach(one -> versions.add(one.string("version")));
    versions.remove("");
    return versions;
  }

  private void add(ApiRequests requests, String group, String version, Set<String> seen) {
    var groupVersion = group.isEmpty() ? version : group + "/" + version;
    try {
      var path = (group.isEmpty() ? "/api/" : "/apis/") + groupVersion;
      var answer = requests.send("GET", path, JSON);
      if (answer.code() == NOT_FOUND) {
        return;
      }
      for (var resource : JsonTrees.object(answer.orThrow()).array("resources").objects()) {
        if (resource.string("name").contains("/")) {
          continue;
        }
        var served = served(group, version, resource);
        versions.add(served);
        if (seen.add(resource.string("name"))) {
          resources.add(served);
        }
      }
    } catch (KubernetesClientException e) {
      failures.add(groupVersion + ": " + e.getMessage());
    }
  }

  private static Served served(String group, String version, JsonObject resource) {
    return new Served(
        new ResourceDefinitionContext.Builder()
            .withGroup(group)
            .withVersion(version)
            .withKind(resource.string("kind"))
            .withPlural(resource.string("name"))
            .withNamespaced(resource.isTrue("namespaced"))
            .build(),
        new TreeSet<>(resource.array("verbs").strings()));
  }
}
