package dev.muster.server.routes;

import dev.muster.model.GroupVersion;
import dev.muster.model.status.ApiException;
import dev.muster.registry.commit.WriteGuard;
import dev.muster.registry.request.RequestContext;
import dev.muster.registry.request.ResourceRequest;
import dev.muster.server.request.Request;
import dev.muster.server.request.RequestAuthorization;
import dev.muster.server.request.RequestInfo;
import dev.muster.types.ServedType;
import dev.muster.types.TypeTrait;
import dev.muster.types.Types;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Resolves the path of a request to a served type, a subresource and a verb. */
public final class ResourceRoutes {
  /**
   * The verbs on single objects. Resources that can only be created, such as reviews, have none.
   */
  private static final Set<String> OF_ONE = Set.of("get", "update", "patch", "delete");

  private static final Set<String> CHANGES_OF_ONE = Set.of("update", "patch");

  private static final Set<String> ACROSS_NAMESPACES = Set.of("list", "watch");

  private final Supplier<Types> types;
  private final Set<String> builtInGroups;

  /**
   * @param types the current types
   * @param builtIn the types that are always served
   */
  public ResourceRoutes(Supplier<Types> types, Types builtIn) {
    this.types = types;
    this.builtInGroups = Set.copyOf(builtIn.groups());
  }

  /**
   * Whether the path names an unknown resource or group that a CustomResourceDefinition could
   * define.
   */
  public boolean mayBeDefined(RequestInfo info) {
    if (info.resourceRequest()) {
      return isDefinable(info.group())
          && types.get().find(info.group(), info.version(), info.resource()) == null;
    }
    var parts = info.path().split("/", -1);
    return (parts.length == 3 || parts.length == 4)
        && parts[1].equals("apis")
        && isDefinable(parts[2])
        && types.get().group(parts[2]).isEmpty();
  }

  /** Whether this server serves the resource that a path names. */
  public boolean isServed(RequestInfo info) {
    return types.get().find(info.group(), info.version(), info.resource()) != null;
  }

  /** Whether a CustomResourceDefinition may use the group: it is a domain and not built in. */
  public boolean isDefinable(String group) {
    return group.indexOf('.') > 0 && !builtInGroups.contains(group);
  }

  /**
   * The resource request. Null when this server does not serve the group and version of the path,
   * or when a path in a custom group names nothing that is defined.
   */
  public @Nullable ResourceRequest route(Request request) {
    var info = request.info();
    var now = types.get();
    var type = now.find(info.group(), info.version(), info.resource());
    if (type == null
        && (isDefinable(info.group())
            || now.version(new GroupVersion(info.group(), info.version())) == null)) {
      return null;
    }
    if (type == null || isMalformed(type, info)) {
      throw NoRoute.notFound();
    }
    if (info.watchPath()) {
      checkWatchPath(type, info, request.exchange().method());
    }
    boolean itself = type.is(TypeTrait.OWN_NAMESPACE) && info.namespace().equals(info.name());
    var namespace = itself ? "" : info.namespace();
    if (type.isCustom()
        && (!isInScope(type, namespace, info) || isOutOfReach(type, namespace, info))) {
      return null;
    }
    checkScope(type, namespace, info);
    if (info.verb().equals("watch") && isOnlyListed(type)) {
      warn(request, type);
      throw NoRoute.notSupported(type.groupResource(), "watch");
    }
    if (info.subresource().isEmpty()) {
      checkVerb(type, namespace, info);
    } else {
      checkSubresource(type, info, request.exchange().method().equals("OPTIONS"));
    }
    warn(request, type);
    return new ResourceRequest(
        type,
        info.subresource(),
        namespace,
        info.name(),
        request.query(),
        new RequestContext(
            request.user(),
            request.header("user-agent"),
            request.deadline(),
            request::warn,
            request.annotations(),
            permission(request.authorization())));
  }

  private static boolean isMalformed(ServedType type, RequestInfo info) {
    return info.head().contains("//")
        && !(type.namespaced()
            && info.isOfEmptyNamespace()
            && ACROSS_NAMESPACES.contains(info.verb()));
  }

  /** The deprecated {@code /watch/} path is a watch with any method, but only GET is answered. */
  private static void checkWatchPath(ServedType type, RequestInfo info, String method) {
    if (!type.verbs().contains("watch") || !info.subresource().isEmpty()) {
      throw NoRoute.notFound();
    }
    if (!method.equals("GET")) {
      throw NoRoute.methodNotAllowed();
    }
  }

  /** Every attempt of a write checks the permission in its own snapshot. */
  private static WriteGuard permission(@Nullable RequestAuthorization authorization) {
    if (authorization == null) {
      return WriteGuard.NONE;
    }
    return snapshot -> {
      authorization.check(snapshot);
      return List.of();
    };
  }

  private static void warn(Request request, ServedType type) {
    var deprecation = type.deprecation();
    if (deprecation != null) {
      request.warn(deprecation.warning());
      request.annotations().add("k8s.io/deprecated", "true");
      if (!deprecation.removedRelease().isEmpty()) {
        request.annotations().add("k8s.io/removed-release", deprecation.removedRelease());
      }
      request.annotations().keep();
    }
  }

  private static boolean isOnlyListed(ServedType type) {
    return type.verbs().contains("list") && !type.verbs().contains("watch");
  }

  private static void checkScope(ServedType type, String namespace, RequestInfo info) {
    if (!isInScope(type, namespace, info)) {
      throw NoRoute.notFound();
    }
  }

  private static boolean isInScope(ServedType type, String namespace, RequestInfo info) {
    boolean clusterScopedInNamespace = !type.namespaced() && !namespace.isEmpty();
    boolean nameWithoutNamespace =
        type.namespaced() && namespace.isEmpty() && !info.name().isEmpty();
    return !clusterScopedInNamespace && !nameWithoutNamespace;
  }

  /** Whether the request needs one namespace and names none, for a custom resource. */
  private static boolean isOutOfReach(ServedType type, String namespace, RequestInfo info) {
    return type.namespaced()
        && namespace.isEmpty()
        && info.subresource().isEmpty()
        && !ACROSS_NAMESPACES.contains(info.verb());
  }

  private static void checkVerb(ServedType type, String namespace, RequestInfo info) {
    boolean named = !info.name().isEmpty();
    if (named && Collections.disjoint(type.verbs(), OF_ONE)) {
      throw NoRoute.notFound();
    }
    boolean wholeCluster = type.namespaced() && namespace.isEmpty();
    if (wholeCluster && !type.verbs().contains("list")) {
      throw NoRoute.notFound();
    }
    boolean possible =
        switch (info.verb()) {
          case "create" -> !named && !wholeCluster;
          case "update", "patch", "get", "delete" -> named;
          case "deletecollection" -> !wholeCluster;
          case "list", "watch" -> true;
          default -> false;
        };
    if (type.isCustom() && !named && CHANGES_OF_ONE.contains(info.verb())) {
      throw ApiException.badRequest("name must be provided");
    }
    if (!possible || !type.verbs().contains(info.verb())) {
      throw type.verbs().isEmpty() ? NoRoute.notFound() : NoRoute.methodNotAllowed();
    }
  }

  private static void checkSubresource(ServedType type, RequestInfo info, boolean asksOptions) {
    for (var subresource : type.subresources()) {
      if (subresource.name().equals(info.subresource())) {
        boolean proxy = info.subresource().equals("proxy");
        if (info.hasRest() && !proxy) {
          throw NoRoute.notFound();
        }
        if (!subresource.verbs().contains(info.verb()) && !(proxy && asksOptions)) {
          throw type.isCustom()
              ? NoRoute.notSupported(type.groupResource(), info.verb())
              : NoRoute.methodNotAllowed();
        }
        return;
      }
    }
    throw type.isCustom()
        ? ApiException.notFound(type.groupResource(), info.name())
        : NoRoute.notFound();
  }
}
