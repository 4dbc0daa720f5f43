package dev.muster.jmh;

import dev.muster.authorization.bootstrap.BootstrapObjects;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.builtin.BuiltInTypes;
import dev.muster.types.ClusterView;
import dev.muster.types.Types;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A cluster that holds what a first start writes, and nothing else. Immutable. */
final class BootstrapCluster implements ClusterView {
  private static final long REVISION = 1;

  private final Map<String, Map<String, JsonObject>> collections = new HashMap<>();
  private final Types types = Types.of(BuiltInTypes.all());

  BootstrapCluster() {
    for (var each : BootstrapObjects.all()) {
      var metadata = each.object().object("metadata");
      collections
          .computeIfAbsent("/" + each.resource().resource(), plural -> new TreeMap<>())
          .put(key(metadata.string("namespace"), metadata.string("name")), each.object());
    }
  }

  private static String key(String namespace, String name) {
    return namespace + "/" + name;
  }

  private Map<String, JsonObject> collection(String name) {
    return collections.getOrDefault(name, Map.of());
  }

  @Override
  public @Nullable JsonObject get(String collection, String namespace, String name) {
    return collection(collection).get(key(namespace, name));
  }

  @Override
  public List<JsonObject> list(String collection, String namespace) {
    return collection(collection).entrySet().stream()
        .filter(entry -> namespace.isEmpty() || entry.getKey().startsWith(namespace + "/"))
        .map(Map.Entry::getValue)
        .toList();
  }

  @Override
  public long revision(String collection, String namespace, String name) {
    return get(collection, namespace, name) == null ? 0 : REVISION;
  }

  @Override
  public long changed(String collection) {
    return collection(collection).isEmpty() ? 0 : REVISION;
  }

  @Override
  public Types types() {
    return types;
  }
}
