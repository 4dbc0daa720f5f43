package dev.muster.multicluster.services;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * An API server's objects that fail when they are told to: a write that breaks off before or after
 * it happened is what cannot be had from a real one on purpose.
 */
final class ApiObjectsInMemory implements ApiObjects {
  /** What is told to a caller that dies here. */
  static final class Crash extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Crash() {
      super("crash");
    }
  }

  private record Key(ServicesResource resource, String namespace, String name)
      implements Comparable<Key> {
    @Override
    public int compareTo(Key other) {
      return toString().compareTo(other.toString());
    }
  }

  /** When a write fails: counted over all clusters of a test. */
  static final class Faults {
    private int writesUntilCrash = -1;
    private boolean afterwards;
    private int writes;

    void crashAt(int write, boolean afterIt) {
      writesUntilCrash = write;
      afterwards = afterIt;
    }

    int writes() {
      return writes;
    }

    private void write(Runnable change) {
      writes++;
      boolean crash = writesUntilCrash-- == 0;
      if (crash && !afterwards) {
        throw new Crash();
      }
      change.run();
      if (crash) {
        throw new Crash();
      }
    }
  }

  private final Faults faults;
  private final Map<Key, Map<String, Object>> objects = new TreeMap<>();
  private long version;

  ApiObjectsInMemory(Faults faults) {
    this.faults = faults;
  }

  @Override
  public Optional<Map<String, Object>> get(
      ServicesResource resource, String namespace, String name) {
    return Optional.ofNullable(objects.get(new Key(resource, namespace, name)));
  }

  @Override
  public List<Map<String, Object>> list(
      ServicesResource resource, String namespace, Map<String, String> labels) {
    var found = new ArrayList<Map<String, Object>>();
    objects.forEach(
        (key, object) -> {
          if (key.resource() == resource
              && (namespace.isEmpty() || key.namespace().equals(namespace))
              && Fields.labels(object).entrySet().containsAll(labels.entrySet())) {
            found.add(object);
          }
        });
    return found;
  }

  @Override
  public boolean create(ServicesResource resource, String namespace, Map<String, Object> object) {
    var key = new Key(resource, namespace, Fields.name(object));
    boolean namespaced = !namespace.isEmpty();
    if (objects.containsKey(key)
        || (namespaced
            && !objects.containsKey(new Key(ServicesResource.NAMESPACE, "", namespace)))) {
      return false;
    }
    faults.write(
        () -> {
          var metadata = new LinkedHashMap<>(Fields.metadata(object));
          metadata.put("uid", "uid-" + version);
          metadata.putIfAbsent("creationTimestamp", Instant.ofEpochSecond(version).toString());
          keep(key, object, metadata);
        });
    return true;
  }

  private void keep(Key key, Map<String, Object> object, Map<String, Object> metadata) {
    metadata.put("resourceVersion", String.valueOf(++version));
    var kept = new LinkedHashMap<>(object);
    kept.put("metadata", metadata);
    objects.put(key, kept);
  }

  @Override
  public void update(ServicesResource resource, String namespace, Map<String, Object> object) {
    var key = new Key(resource, namespace, Fields.name(object));
    var live = objects.get(key);
    var wanted = Fields.metadata(object).get("resourceVersion");
    if (live == null || !Objects.equals(Fields.metadata(live).get("resourceVersion"), wanted)) {
      throw new IllegalStateException("conflict at " + key);
    }
    faults.write(() -> keep(key, object, new LinkedHashMap<>(Fields.metadata(object))));
  }

  @Override
  public void updateStatus(
      ServicesResource resource, String namespace, Map<String, Object> object) {
    update(resource, namespace, object);
  }

  @Override
  public void delete(ServicesResource resource, Map<String, Object> object) {
    var key = new Key(resource, Fields.namespace(object), Fields.name(object));
    var live = objects.get(key);
    if (live != null
        && Objects.equals(Fields.metadata(live).get("uid"), Fields.metadata(object).get("uid"))) {
      faults.write(() -> objects.remove(key));
    }
  }
}
