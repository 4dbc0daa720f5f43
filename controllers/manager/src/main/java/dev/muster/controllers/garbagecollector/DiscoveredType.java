package dev.muster.controllers.garbagecollector;

import dev.muster.controllers.client.Discovery;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** One version of a resource that an API server serves. */
record DiscoveredType(
    String group, String version, String kind, String plural, boolean namespaced) {
  static DiscoveredType of(Discovery.Served served) {
    var context = served.context();
    return new DiscoveredType(
        context.getGroup(),
        context.getVersion(),
        context.getKind(),
        context.getPlural(),
        context.isNamespaceScoped());
  }

  String apiVersion() {
    return group.isEmpty() ? version : group + "/" + version;
  }

  /** The path of the collection in all namespaces. */
  String path() {
    return (group.isEmpty() ? "/api/" : "/apis/") + apiVersion() + "/" + plural;
  }

  /** The path of one object; the namespace is ignored for cluster-scoped types. */
  String path(String namespace, String name) {
    var root = (group.isEmpty() ? "/api/" : "/apis/") + apiVersion();
    var within = namespaced ? "/namespaces/" + segment(namespace) : "";
    return root + within + "/" + plural + "/" + segment(name);
  }

  private static String segment(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
