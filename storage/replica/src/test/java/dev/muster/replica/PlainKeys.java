package dev.muster.replica;

import dev.muster.model.ObjectName;
import dev.muster.replica.keyspace.CollectionSpec;
import dev.muster.replica.keyspace.KeySpace;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Collections by what their keys begin with; some outside namespaces. */
final class PlainKeys implements KeySpace {
  private final Map<String, CollectionSpec> specs = new LinkedHashMap<>();
  private final Set<String> outside;

  PlainKeys(List<CollectionSpec> specs, Set<String> outside) {
    specs.forEach(spec -> this.specs.put(spec.storage(), spec));
    this.outside = Set.copyOf(outside);
  }

  /** These collections without one of a storage location, and with another if it is given. */
  PlainKeys with(String storage, @Nullable CollectionSpec spec) {
    var rest = new ArrayList<>(specs.values());
    rest.removeIf(old -> old.storage().equals(storage));
    if (spec != null) {
      rest.add(spec);
    }
    return new PlainKeys(rest, outside);
  }

  @Override
  public @Nullable KeyLocation locate(String key) {
    for (var spec : specs.values()) {
      if (!key.startsWith(spec.storage() + "/")) {
        continue;
      }
      var parts = key.substring(spec.storage().length() + 1).split("/", -1);
      if (outside.contains(spec.storage())) {
        return new KeyLocation(spec, new ObjectName("", String.join("/", parts)));
      }
      return parts.length == 2 ? new KeyLocation(spec, new ObjectName(parts[0], parts[1])) : null;
    }
    return null;
  }

  @Override
  public Iterable<CollectionSpec> collections() {
    return specs.values();
  }

  @Override
  public @Nullable CollectionSpec collection(String storage) {
    return specs.get(storage);
  }
}
