package dev.muster.authorization;

import dev.muster.model.ObjectName;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.builtin.BuiltInTypes;
import dev.muster.types.ClusterView;
import dev.muster.types.Types;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A cluster in a map, for tests of what only looks at objects. Not for several threads. */
public final class FakeCluster implements ClusterView {
  static final Types TYPES = Types.of(BuiltInTypes.all());

  private final Map<String, Map<ObjectName, JsonObject>> collections = new HashMap<>();
  private final Map<String, Long> changed = new HashMap<>();
  private long revision;

  /** Puts an object under the namespace and name of its metadata. */
  public FakeCluster put(String collection, JsonObject object) {
    var metadata = object.object("metadata");
    return put(collection, metadata.string("namespace"), metadata.string("name"), object);
  }

  public FakeCluster put(String collection, String namespace, String name, JsonObject object) {
    revision++;
    var stored = object.withAt(Json.of("" + revision), "metadata", "resourceVersion");
    collection(collection).put(new ObjectName(namespace, name), stored);
    changed.put(collection, revision);
    return this;
  }

  public FakeCluster remove(String collection, String namespace, String name) {
    revision++;
    collection(collection).remove(new ObjectName(namespace, name));
    changed.put(collection, revision);
    return this;
  }

  private Map<ObjectName, JsonObject> collection(String name) {
    return collections.computeIfAbsent(name, key -> new TreeMap<>());
  }

  @Override
  public @Nullable JsonObject get(String collection, String namespace, String name) {
    return collection(collection).get(new ObjectName(namespace, name));
  }

  @Override
  public List<JsonObject> list(String collection, String namespace) {
    return collection(collection).entrySet().stream()
        .filter(entry -> namespace.isEmpty() || entry.getKey().namespace().equals(namespace))
        .map(Map.Entry::getValue)
        .toList();
  }

  @Override
  public long revision(String collection, String namespace, String name) {
    var object = get(collection, namespace, name);
    return object == null ? 0 : Long.parseLong(object.object("metadata").string("resourceVersion"));
  }

  @Override
  public long changed(String collection) {
    return changed.getOrDefault(collection, 0L);
  }

  @Override
  public Types types() {
    return TYPES;
  }
}
