package dev.muster.access;

import dev.muster.model.User;

/**
 * What somebody wants to do, as authorization sees it.
 *
 * @param resource the plural name; "" for a request that is not about a resource
 * @param path the path of a request that is not about a resource, "" otherwise
 */
public record Attributes(
    User user,
    String verb,
    String group,
    String version,
    String resource,
    String subresource,
    String namespace,
    String name,
    String path,
    boolean resourceRequest) {

  public static Attributes resource(
      User user,
      String verb,
      String group,
      String version,
      String resource,
      String subresource,
      String namespace,
      String name) {
    return new Attributes(
        user, verb, group, version, resource, subresource, namespace, name, "", true);
  }

  /** A request for a path outside the resources; the verb is the HTTP method in small letters. */
  public static Attributes path(User user, String verb, String path) {
    return new Attributes(user, verb, "", "", "", "", "", "", path, false);
  }
}
