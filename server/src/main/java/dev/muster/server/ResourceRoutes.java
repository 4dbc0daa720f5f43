package dev.muster.server;

import dev.muster.model.GroupVersion;
import dev.muster.model.GroupVersionKind;
import dev.muster.registry.Call;
import dev.muster.schema.ResourceCatalog;
import dev.muster.schema.ResourceType;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds out which resource and which of its verbs a request means. */
final class ResourceRoutes {
  private static final Map<GroupVersionKind, String> DEPRECATED =
      Map.of(
          new GroupVersionKind("", "v1", "Endpoints"),
          "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice",
          new GroupVersionKind("", "v1", "ComponentStatus"),
          "v1 ComponentStatus is deprecated in v1.19+");

  /** The verbs of single objects; what is only created, such as a review, has none. */
  private static final Set<String> OF_ONE = Set.of("get", "update", "patch", "delete");

  private final ResourceCatalog catalog;

  ResourceRoutes(ResourceCatalog catalog) {
    this.catalog = catalog;
  }

  /** The call, or null when the path names a group and version that nobody here serves. */
  @Nullable Call route(Request request) {
    var info = request.info();
    if (!catalog.groupVersions().contains(new GroupVersion(info.group(), info.version()))) {
      return null;
    }
    var type = catalog.find(info.group(), info.version(), info.resource());
    if (type == null || info.path().contains("//")) {
      throw Route.notFound();
    }
    boolean ofNamespaces = type.plural().equals("namespaces") && type.kind().group().isEmpty();
    boolean itself = ofNamespaces && info.namespace().equals(info.name());
    var namespace = itself ? "" : info.namespace();
    checkScope(type, namespace, info);
    if (info.verb().equals("watch") && isOnlyListed(type)) {
      warn(request, type);
      throw Route.notWatchable(type.groupResource());
    }
    if (info.subresource().isEmpty()) {
      checkVerb(type, namespace, info);
    } else {
      checkSubresource(type, info);
    }
    warn(request, type);
    return new Call(
        type,
        info.subresource(),
        namespace,
        info.name(),
        request.query(),
        request.user(),
        request.header("user-agent"),
        request.deadline(),
        request::warn);
  }

  private static void warn(Request request, ResourceType type) {
    var deprecation = DEPRECATED.get(type.kind());
    if (deprecation != null) {
      request.warn(deprecation);
    }
  }

  private static boolean isOnlyListed(ResourceType type) {
    return type.verbs().contains("list") && !type.verbs().contains("watch");
  }

  private static void checkScope(ResourceType type, String namespace, RequestInfo info) {
    boolean clusterScopedInNamespace = !type.namespaced() && !namespace.isEmpty();
    boolean nameWithoutNamespace =
        type.namespaced() && namespace.isEmpty() && !info.name().isEmpty();
    if (clusterScopedInNamespace || nameWithoutNamespace) {
      throw Route.notFound();
    }
  }

  private static void checkVerb(ResourceType type, String namespace, RequestInfo info) {
    boolean named = !info.name().isEmpty();
    if (named && Collections.disjoint(type.verbs(), OF_ONE)) {
      throw Route.notFound();
    }
    boolean wholeCluster = type.namespaced() && namespace.isEmpty();
    if (wholeCluster && !type.verbs().contains("list")) {
      throw Route.notFound();
    }
    boolean possible =
        switch (info.verb()) {
          case "create" -> !named && !wholeCluster;
          case "update", "patch", "get", "delete" -> named;
          case "deletecollection" -> !wholeCluster;
          case "list", "watch" -> true;
          default -> false;
        };
    if (!possible || !type.verbs().contains(info.verb())) {
      throw type.verbs().isEmpty() ? Route.notFound() : Route.methodNotAllowed();
    }
  }

  private static void checkSubresource(ResourceType type, RequestInfo info) {
    for (var subresource : type.subresources()) {
      if (subresource.name().equals(info.subresource())) {
        if (!info.rest().isEmpty() && !info.subresource().equals("proxy")) {
          throw Route.notFound();
        }
        if (!subresource.verbs().contains(info.verb())) {
          throw Route.methodNotAllowed();
        }
        return;
      }
    }
    throw Route.notFound();
  }
}
