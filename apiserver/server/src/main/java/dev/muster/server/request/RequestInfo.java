package dev.muster.server.request;

import java.util.Locale;
import java.util.Set;

/**
 * The verb, resource and name that the method and path of a request state, before any lookup.
 * Authorization, metrics and routing share it.
 *
 * @param resourceRequest whether the path names a resource; otherwise only verb and path are set
 * @param verb get, list, watch, create, update, patch, delete, deletecollection, or the lower-case
 *     method for other paths
 * @param path as it was sent, still percent-encoded
 * @param watchPath whether the deprecated form {@code /watch/} of a watch was used
 * @param restAt where the rest of the path after the subresource begins; the length of the path
 *     when there is no rest
 */
public record RequestInfo(
    boolean resourceRequest,
    String verb,
    String path,
    String group,
    String version,
    String namespace,
    String resource,
    String subresource,
    String name,
    boolean watchPath,
    int restAt) {
  /** Subresources whose requests wait for a node or a backend, without a deadline. */
  private static final Set<String> CONNECTIONS =
      Set.of("attach", "exec", "log", "portforward", "proxy");

  /** The path without the rest after the subresource. */
  public String head() {
    return restAt == path.length() ? path : path.substring(0, restAt);
  }

  /**
   * Whether the namespace in the path is empty, and nothing else is. Clients that build paths from
   * segments mean all namespaces by it.
   */
  public boolean isOfEmptyNamespace() {
    var head = head();
    int empty = head.indexOf("//");
    return empty > 0
        && head.startsWith("/namespaces", empty - "/namespaces".length())
        && head.indexOf("//", empty + 1) < 0
        && namespace.isEmpty();
  }

  /**
   * The rest of the path after the subresource as it was sent, with a leading slash; "" when there
   * is none.
   */
  public String rest() {
    var rest = path.substring(restAt);
    return rest.isEmpty() || rest.charAt(0) == '/' ? rest : "/" + rest.substring("%2F".length());
  }

  /** Whether more than slashes follow the subresource. */
  public boolean hasRest() {
    for (int i = restAt; i < path.length(); i++) {
      if (path.charAt(i) != '/') {
        return true;
      }
    }
    return false;
  }

  /** Whether the request is passed on to a node or a backend. */
  public boolean isConnection() {
    return CONNECTIONS.contains(subresource);
  }

  /** Whether the request lasts as long as the client wants. */
  public boolean isLong() {
    return verb.equals("watch") || isConnection();
  }

  /** Whether the response is an object of the API that this server makes itself. */
  public boolean isAboutObjects() {
    return resourceRequest
        ? !isConnection()
        : path.equals("/api") || path.startsWith("/api/") || path.startsWith("/apis");
  }

  /** Whether the response reports the state of the server, and nothing of the cluster. */
  public boolean isAboutServer() {
    return !resourceRequest && !isAboutObjects() && !path.startsWith("/openapi/");
  }

  public boolean isWrite() {
    return switch (verb) {
      case "create", "update", "patch", "delete", "deletecollection" -> true;
      default -> false;
    };
  }

  /** Parses a request; {@code watching} says whether the query asks for a watch. */
  public static RequestInfo of(String method, String path, boolean watching) {
    var parts = PathParts.of(path);
    boolean core = parts.get(0).equals("api");
    boolean grouped = parts.get(0).equals("apis");
    int start = core ? 2 : 3;
    if (!(core || grouped) || parts.size() <= start || path.charAt(0) != '/') {
      return notAResource(method, path);
    }
    var group = core ? "" : parts.get(1);
    var version = parts.get(start - 1);
    boolean watchPath = parts.get(start).equals("watch");
    if (watchPath) {
      start++;
      if (parts.size() <= start) {
        return notAResource(method, path);
      }
    }
    var namespace = "";
    if (parts.get(start).equals("namespaces") && path.startsWith("//", parts.end(start))) {
      if (parts.size() > start + 1) {
        start++;
      }
    } else if (parts.get(start).equals("namespaces") && parts.size() > start + 1) {
      namespace = parts.get(start + 1);
      boolean ofTheNamespaceItself =
          parts.size() == start + 2 || isNamespaceSubresource(parts.get(start + 2));
      if (!ofTheNamespaceItself) {
        start += 2;
      }
    }
    var name = parts.get(start + 1);
    return new RequestInfo(
        true,
        watchPath ? "watch" : verb(method, name, watching && name.isEmpty()),
        path,
        group,
        version,
        namespace,
        parts.get(start),
        parts.get(start + 2),
        name,
        watchPath,
        parts.size() > start + 2 ? parts.end(start + 2) : path.length());
  }

  private static RequestInfo notAResource(String method, String path) {
    return new RequestInfo(
        false, method.toLowerCase(Locale.ROOT), path, "", "", "", "", "", "", false, path.length());
  }

  private static boolean isNamespaceSubresource(String part) {
    return part.equals("status") || part.equals("finalize");
  }

  private static String verb(String method, String name, boolean watching) {
    return switch (method) {
      case "POST" -> "create";
      case "PUT" -> "update";
      case "PATCH" -> "patch";
      case "DELETE" -> name.isEmpty() ? "deletecollection" : "delete";
      case "GET", "HEAD" -> watching ? "watch" : name.isEmpty() ? "list" : "get";
      default -> "";
    };
  }
}
