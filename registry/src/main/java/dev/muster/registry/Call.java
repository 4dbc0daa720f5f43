package dev.muster.registry;

import dev.muster.registry.admission.User;
import dev.muster.schema.ResourceType;
import java.util.function.Consumer;

/**
 * What a request is about, once it is routed and allowed.
 *
 * @param subresource "" for the resource itself
 * @param namespace "" for cluster-scoped resources and for all namespaces
 * @param name "" for collections
 * @param userAgent the client's own name, whose first part is the default field manager
 * @param warnings takes texts for the Warning header
 */
public record Call(
    ResourceType type,
    String subresource,
    String namespace,
    String name,
    Query query,
    User user,
    String userAgent,
    Consumer<String> warnings) {

  /** The field manager that the client names, or the first part of its User-Agent. */
  public String manager(String named) {
    if (!named.isEmpty()) {
      return named;
    }
    int end = userAgent.indexOf('/');
    var name = end < 0 ? userAgent : userAgent.substring(0, end);
    return name.length() > 128 ? name.substring(0, 128) : name;
  }

  /** The key of that object in the store. */
  public String key(String objectName) {
    return namespace.isEmpty()
        ? type.storage() + "/" + objectName
        : type.storage() + "/" + namespace + "/" + objectName;
  }
}
