package dev.muster.server.start;

import dev.muster.model.GroupResource;
import dev.muster.store.encrypted.StorageResources;
import dev.muster.types.Types;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Immutable: the resources of keys, by upstream's layout. Built-in types have their places; what
 * begins with the name of a group belongs to a custom resource, whether its definition is there or
 * not, because no group of these is without a dot.
 */
public final class KeyResources implements StorageResources {
  private final Map<String, GroupResource> builtIn = new HashMap<>();

  public KeyResources(Types types) {
    for (var storage : types.storagePrefixes()) {
      var type = types.ofStorage(storage);
      if (type != null) {
        builtIn.put(storage, type.groupResource());
      }
    }
  }

  @Override
  public @Nullable GroupResource of(String key) {
    int first = key.indexOf('/', 1);
    if (first < 0) {
      return null;
    }
    var one = builtIn.get(key.substring(0, first));
    if (one != null) {
      return one;
    }
    int second = key.indexOf('/', first + 1);
    if (second < 0) {
      return null;
    }
    var two = builtIn.get(key.substring(0, second));
    if (two != null) {
      return two;
    }
    var group = key.substring(1, first);
    return group.indexOf('.') < 0
        ? null
        : new GroupResource(group, key.substring(first + 1, second));
  }
}
