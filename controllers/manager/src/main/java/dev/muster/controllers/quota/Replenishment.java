package dev.muster.controllers.quota;

import dev.muster.controllers.client.ApiRequests;
import dev.muster.controllers.client.JsonTrees;
import dev.muster.controllers.loop.Reflector;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Follows the resources that quotas name, and reports namespaces in which usage decreased or moved
 * to other quotas. Admission already counts new objects. Guarded by its own lock; calls back on the
 * threads of its reflectors.
 */
final class Replenishment implements AutoCloseable {
  /** Stands for all namespaces. */
  static final String EVERYWHERE = "";

  /** The remembered state of an object. */
  record Seen(String namespace, String uid, int fingerprint) {}

  private final ApiRequests requests;
  private final BiConsumer<CountedResource, String> changed;
  private final Map<String, Reflector<Seen>> reflectors = new HashMap<>();
  private boolean closed;

  /**
   * @param changed receives the resource and the namespace, or {@link #EVERYWHERE}
   */
  Replenishment(ApiRequests requests, BiConsumer<CountedResource, String> changed) {
    this.requests = requests;
    this.changed = changed;
  }

  synchronized void follow(Collection<CountedResource> resources) {
    if (closed) {
      return;
    }
    var wanted = new HashSet<String>();
    for (var counted : resources) {
      var path = counted.resource().path("");
      wanted.add(path);
      reflectors.computeIfAbsent(path, key -> start(key, counted));
    }
    for (var path : Set.copyOf(reflectors.keySet())) {
      if (!wanted.contains(path)) {
        Objects.requireNonNull(reflectors.remove(path)).close();
      }
    }
  }

  private Reflector<Seen> start(String path, CountedResource counted) {
    Function<Map<String, Object>, Seen> reader =
        map -> {
          var object = JsonTrees.object(map);
          var metadata = object.object("metadata");
          return new Seen(
              metadata.string("namespace"), metadata.string("uid"), counted.fingerprint(object));
        };
    var handler =
        new Observer(counted.isCountOnly(), namespace -> changed.accept(counted, namespace));
    return counted.isCountOnly()
        ? Reflector.startMetadataOnly(requests, path, reader, handler)
        : Reflector.start(requests, path, reader, handler);
  }

  @Override
  public synchronized void close() {
    closed = true;
    reflectors.values().forEach(Reflector::close);
    reflectors.clear();
  }

  /** Compares each object with its former state. */
  static final class Observer implements Reflector.Handler<Seen> {
    private final boolean countOnly;
    private final Consumer<String> changed;
    private final Map<String, Integer> fingerprints = new ConcurrentHashMap<>();

    /**
     * @param countOnly whether only the existence of objects is measured
     * @param changed receives the namespace, or {@link #EVERYWHERE}
     */
    Observer(boolean countOnly, Consumer<String> changed) {
      this.countOnly = countOnly;
      this.changed = changed;
    }

    @Override
    public void seen(Seen object) {
      if (!countOnly) {
        var before = fingerprints.put(object.uid(), object.fingerprint());
        if (before != null && before != object.fingerprint()) {
          changed.accept(object.namespace());
        }
      }
    }

    @Override
    public void gone(Seen object) {
      fingerprints.remove(object.uid());
      changed.accept(object.namespace());
    }

    /** Admission may have counted objects that were created and deleted within the gap. */
    @Override
    public void readAnew(String version) {
      changed.accept(EVERYWHERE);
    }
  }
}
