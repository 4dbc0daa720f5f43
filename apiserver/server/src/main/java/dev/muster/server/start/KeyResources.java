package dev.muster.server.start;

import dev.muster.model.GroupResource;
import dev.muster.store.encrypted.StorageResources;
import dev.muster.types.Types;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Maps the keys of the store to resources, by upstream's etcd layout. Built-in types have fixed
 * prefixes. A key that begins with a group name belongs to a custom resource, even without its
 * definition: these group names always contain a dot. Immutable.
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
