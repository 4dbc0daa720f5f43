package dev.muster.controllers.garbagecollector;

import dev.muster.controllers.client.ApiRequests;
import dev.muster.controllers.client.Discovery;
import dev.muster.controllers.loop.Reflector;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One reflector for each resource in discovery whose objects can own or be owned, and the types
 * that exist. Thread-safe, guarded by its own lock.
 */
final class Monitors implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Monitors.class);
  private static final Set<String> IGNORED = Set.of("events.", "events.events.k8s.io");

  /** Resources whose objects add or remove types. */
  private static final Set<String> TYPES_OF_TYPES =
      Set.of("customresourcedefinitions", "apiservices");

  private final ApiRequests requests;
  private final Graph graph;
  private final Consumer<List<GraphEffect>> effects;
  private final Runnable typesChanged;
  private final Map<DiscoveredType, Reflector<ObjectMetadata>> reflectors = new HashMap<>();
  private volatile Map<String, DiscoveredType> types = Map.of();
  private boolean closed;

  /**
   * @param typesChanged called by many threads when discovery must be repeated
   */
  Monitors(
      ApiRequests requests,
      Graph graph,
      Consumer<List<GraphEffect>> effects,
      Runnable typesChanged) {
    this.requests = requests;
    this.graph = graph;
    this.effects = effects;
    this.typesChanged = typesChanged;
  }

  Optional<DiscoveredType> type(String apiVersion, String kind) {
    return Optional.ofNullable(types.get(apiVersion + "/" + kind));
  }

  /** Whether the initial objects of every resource have been reported. */
  synchronized boolean synced() {
    return !reflectors.isEmpty() && reflectors.values().stream().allMatch(Reflector::synced);
  }

  /**
   * Follows the currently served resources. Resources of groups whose discovery failed stay as they
   * were.
   */
  synchronized void follow(Discovery discovery) {
    if (closed || discovery.resources().isEmpty()) {
      return;
    }
    var unknown =
        discovery.failures().stream()
            .map(failure -> failure.substring(0, failure.indexOf(": ")))
            .collect(Collectors.toSet());
    types = typesOf(discovery, unknown);
    var wanted = new HashSet<DiscoveredType>();
    for (var served : discovery.resources()) {
      if (!IGNORED.contains(served.name())
          && served.can("delete")
          && served.can("list")
          && served.can("watch")) {
        wanted.add(DiscoveredType.of(served));
      }
    }
    reflectors.keySet().stream()
        .filter(type -> unknown.contains(type.apiVersion()))
        .forEach(wanted::add);
    for (var type : Set.copyOf(reflectors.keySet())) {
      if (!wanted.contains(type)) {
        lose(type);
      }
    }
    for (var type : wanted) {
      reflectors.computeIfAbsent(type, this::start);
    }
  }

  private Map<String, DiscoveredType> typesOf(Discovery discovery, Set<String> unknown) {
    var found = new HashMap<String, DiscoveredType>();
    types.forEach(
        (name, type) -> {
          if (unknown.contains(type.apiVersion())) {
            found.put(name, type);
          }
        });
    discovery.versions().stream()
        .map(DiscoveredType::of)
        .forEach(type -> found.putIfAbsent(type.apiVersion() + "/" + type.kind(), type));
    return Map.copyOf(found);
  }

  private Reflector<ObjectMetadata> start(DiscoveredType type) {
    log.debug("{} of {} are followed", type.plural(), type.apiVersion());
    var apiVersion = type.apiVersion();
    Function<Map<String, Object>, ObjectMetadata> reader =
        object -> ObjectMetadata.read(apiVersion, type.kind(), object);
    return Reflector.startMetadataOnly(
        requests, type.path(), reader, new Observer(TYPES_OF_TYPES.contains(type.plural())));
  }

  private void lose(DiscoveredType type) {
    var reflector = reflectors.remove(type);
    if (reflector != null) {
      reflector.close();
      reflector.remaining().forEach(object -> effects.accept(graph.lose(object.reference())));
      log.debug("{} of {} are followed no more", type.plural(), type.apiVersion());
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    reflectors.values().forEach(Reflector::close);
    reflectors.clear();
  }

  /** Passes the events of one reflector to the graph. */
  private final class Observer implements Reflector.Handler<ObjectMetadata> {
    private final boolean ofTypes;

    Observer(boolean ofTypes) {
      this.ofTypes = ofTypes;
    }

    @Override
    public void seen(ObjectMetadata object) {
      effects.accept(graph.observe(object));
      report();
    }

    @Override
    public void gone(ObjectMetadata object) {
      effects.accept(graph.forget(object.reference()));
      report();
    }

    private void report() {
      if (ofTypes) {
        typesChanged.run();
      }
    }
  }
}
