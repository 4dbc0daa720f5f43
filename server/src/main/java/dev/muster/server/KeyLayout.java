package dev.muster.server;

import dev.muster.model.ObjectName;
import dev.muster.replica.KeySpace;
import dev.muster.schema.ResourceCatalog;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Where the objects of the served types lie in the store: upstream's layout. */
public final class KeyLayout implements KeySpace {
  /** Collections by the first part of their keys, with whether their objects have namespaces. */
  private final Map<String, Boolean> namespaced = new HashMap<>();

  public KeyLayout(ResourceCatalog catalog) {
    for (var type : catalog.types()) {
      if (!type.storage().isEmpty()) {
        namespaced.put(type.storage(), type.namespaced());
      }
    }
  }

  @Override
  public @Nullable Place locate(String key) {
    int first = key.indexOf('/', 1);
    if (first < 0) {
      return null;
    }
    var one = place(key, first);
    if (one != null) {
      return one;
    }
    int second = key.indexOf('/', first + 1);
    return second < 0 ? null : place(key, second);
  }

  private @Nullable Place place(String key, int end) {
    var storage = key.substring(0, end);
    var hasNamespace = namespaced.get(storage);
    if (hasNamespace == null) {
      return null;
    }
    int slash = key.indexOf('/', end + 1);
    if (hasNamespace) {
      return slash < 0
          ? null
          : new Place(
              storage, new ObjectName(key.substring(end + 1, slash), key.substring(slash + 1)));
    }
    return new Place(storage, new ObjectName("", key.substring(end + 1)));
  }
}
