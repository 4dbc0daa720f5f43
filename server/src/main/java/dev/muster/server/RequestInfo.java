package dev.muster.server;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What a method and a path say, before anything is looked up: the attributes that authorization,
 * metrics and routing share.
 *
 * @param resourceRequest whether the path names a resource; otherwise only verb and path count
 * @param verb get, list, watch, create, update, patch, delete, deletecollection, or the lower-case
 *     method for other paths
 * @param watchPath whether the old form {@code /watch/} of a watch was used
 * @param rest what follows the subresource
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
    List<String> rest) {
  /** Subresources that wait for somebody else, for as long as that takes. */
  private static final Set<String> CONNECTIONS =
      Set.of("attach", "exec", "log", "portforward", "proxy");

  /** Whether it goes on to somebody else. */
  boolean isConnection() {
    return CONNECTIONS.contains(subresource);
  }

  /** Whether it takes as long as the client wants. */
  boolean isLong() {
    return verb.equals("watch") || isConnection();
  }

  boolean isWrite() {
    return switch (verb) {
      case "create", "update", "patch", "delete", "deletecollection" -> true;
      default -> false;
    };
  }

  /** Reads a request; {@code watching} says whether the query asks for a watch. */
  static RequestInfo of(String method, String path, boolean watching) {
    var parts = split(path);
    boolean core = !parts.isEmpty() && parts.getFirst().equals("api");
    boolean grouped = !parts.isEmpty() && parts.getFirst().equals("apis");
    int start = core ? 2 : 3;
    if (!(core || grouped) || parts.size() <= start) {
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
    if (parts.get(start).equals("namespaces") && parts.size() > start + 1) {
      namespace = parts.get(start + 1);
      boolean ofTheNamespaceItself =
          parts.size() == start + 2
              || (parts.size() > start + 2 && isNamespaceSubresource(parts.get(start + 2)));
      if (!ofTheNamespaceItself) {
        start += 2;
      }
    }
    var resource = parts.get(start);
    var name = parts.size() > start + 1 ? parts.get(start + 1) : "";
    var subresource = parts.size() > start + 2 ? parts.get(start + 2) : "";
    var rest =
        parts.size() > start + 3 ? parts.subList(start + 3, parts.size()) : List.<String>of();
    return new RequestInfo(
        true,
        verb(method, name, watchPath || (watching && name.isEmpty())),
        path,
        group,
        version,
        namespace,
        resource,
        subresource,
        name,
        watchPath,
        rest);
  }

  private static RequestInfo notAResource(String method, String path) {
    return new RequestInfo(
        false,
        method.toLowerCase(java.util.Locale.ROOT),
        path,
        "",
        "",
        "",
        "",
        "",
        "",
        false,
        List.of());
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

  /** The parts of the path; an encoded slash divides as any other, as it does in upstream. */
  private static List<String> split(String encoded) {
    var path = decode(encoded);
    var parts = new ArrayList<String>(8);
    int start = 1;
    while (start < path.length()) {
      int end = path.indexOf('/', start);
      if (end < 0) {
        end = path.length();
      }
      if (end > start) {
        parts.add(path.substring(start, end));
      }
      start = end + 1;
    }
    return parts;
  }

  private static String decode(String path) {
    if (path.indexOf('%') < 0) {
      return path;
    }
    try {
      return URLDecoder.decode(path.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return path;
    }
  }
}
