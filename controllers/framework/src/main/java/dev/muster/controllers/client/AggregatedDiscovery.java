package dev.muster.controllers.client;

import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads aggregated discovery, which takes two requests (Kubernetes 1.30 and later); older servers
 * need one request for each group version. Not thread-safe; used once.
 */
final class AggregatedDiscovery {
  private static final String ACCEPT =
      "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json";

  private final List<Discovery.Served> resources = new ArrayList<>();
  private final List<Discovery.Served> versions = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();

  private AggregatedDiscovery() {}

  /** Empty when the server has no aggregated discovery. */
  static Optional<Discovery> of(ApiRequests requests) {
    var found = new AggregatedDiscovery();
    for (var path : List.of("/api", "/apis")) {
      var document = requests.send("GET", path, ACCEPT).orThrow();
      if (!"APIGroupDiscoveryList".equals(document.get("kind"))) {
        return Optional.empty();
      }
      objects(document.get("items")).forEach(found::addGroup);
    }
    return Optional.of(new Discovery(found.resources, found.versions, found.failures));
  }

  private void addGroup(Map<?, ?> item) {
    var group = item.get("metadata") instanceof Map<?, ?> metadata ? text(metadata, "name") : "";
    Set<String> seen = new HashSet<>();
    for (var version : objects(item.get("versions"))) {
      var name = text(version, "version");
      if ("Stale".equals(version.get("freshness"))) {
        var groupVersion = group.isEmpty() ? name : group + "/" + name;
        failures.add(groupVersion + ": stale GroupVersion discovery: " + groupVersion);
        continue;
      }
      for (var resource : objects(version.get("resources"))) {
        var kind = resource.get("responseKind");
        if (kind instanceof Map<?, ?> response) {
          add(group, name, resource, text(response, "kind"), seen);
        }
      }
    }
  }

  private void add(
      String group, String version, Map<?, ?> resource, String kind, Set<String> seen) {
    Set<String> verbs = new TreeSet<>();
    if (resource.get("verbs") instanceof List<?> all) {
      all.forEach(verb -> verbs.add(String.valueOf(verb)));
    }
    if (kind.isEmpty() || verbs.isEmpty()) {
      // The type only has subresources.
      return;
    }
    var plural = text(resource, "resource");
    var served =
        new Discovery.Served(
            new ResourceDefinitionContext.Builder()
                .withGroup(group)
                .withVersion(version)
                .withKind(kind)
                .withPlural(plural)
                .withNamespaced("Namespaced".equals(resource.get("scope")))
                .build(),
            verbs);
    versions.add(served);
    if (seen.add(plural)) {
      resources.add(served);
    }
  }

  private static String text(Map<?, ?> object, String key) {
    return object.get(key) instanceof String text ? text : "";
  }

  private static List<Map<?, ?>> objects(@Nullable Object list) {
    var objects = new ArrayList<Map<?, ?>>();
    if (list instanceof List<?> items) {
      for (var item : items) {
        if (item instanceof Map<?, ?> object) {
          objects.add(object);
        }
      }
    }
    return objects;
  }
}
