package dev.muster.server.watch;

import dev.muster.model.json.JsonObject;
import dev.muster.registry.builtin.BuiltInTypes;
import dev.muster.registry.custom.CustomTypes;
import dev.muster.registry.custom.WebhookConversion;
import dev.muster.registry.read.ListPage;
import dev.muster.registry.read.Selection;
import dev.muster.replica.Replica;
import dev.muster.replica.ReplicaOptions;
import dev.muster.replica.object.StoredObject;
import dev.muster.server.answer.ResponseEncoders;
import dev.muster.store.CommitResult;
import dev.muster.store.MemoryStore;
import dev.muster.store.Operation;
import dev.muster.store.Transaction;
import dev.muster.types.ServedType;
import dev.muster.types.Types;
import dev.muster.types.options.ListOptions;
import dev.muster.types.options.Query;
import dev.muster.wire.JsonWriter;
import dev.muster.wire.SupportedMediaTypes;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** Used by one thread. Config maps in a store, their replica, and watches of them. */
final class WatchedMaps implements AutoCloseable {
  static final Duration TIMEOUT = Duration.ofMinutes(5);

  private static final Types TYPES = Types.of(BuiltInTypes.all());
  private static final ServedType MAPS = Objects.requireNonNull(TYPES.find("", "v1", "configmaps"));

  private static final String DEFINITION =
      "/apiextensions.k8s.io/customresourcedefinitions/widgets.example.com";

  final HeldStream stream = new HeldStream();
  private final MemoryStore store = new MemoryStore();
  private final Replica replica;
  private long nanos;
  private int opened;
  private int initialised;
  private int sentInitial;
  private int closed;

  WatchedMaps(ReplicaOptions options) {
    replica = Replica.start(store, TYPES, new CustomTypes(WebhookConversion.UNAVAILABLE), options);
    replica.fresh().orTimeout(60, TimeUnit.SECONDS).join();
  }

  WatchedMaps() {
    this(ReplicaOptions.defaults());
  }

  /** Writes a map with the label {@code app}; answers when the replica has it. */
  long put(String name, String app) {
    var metadata =
        JsonObject.of("name", name, "namespace", "default", "labels", JsonObject.of("app", app));
    var map = JsonObject.of("apiVersion", "v1", "kind", "ConfigMap", "metadata", metadata);
    return commit(new Operation.Put(key(name), JsonWriter.bytes(map), Operation.ANY));
  }

  /** Defines widgets; answers their type. */
  ServedType define() {
    var definition =
        """
        {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{
        "name":"widgets.example.com","uid":"u","creationTimestamp":"2026-01-01T00:00:00Z"},"spec":{
        "group":"example.com","scope":"Namespaced","names":{"plural":"widgets","kind":"Widget"},
        "versions":[{"name":"v1","served":true,"storage":true,
        "schema":{"openAPIV3Schema":{"type":"object"}}}]}}
        """;
    commit(
        new Operation.Put(DEFINITION, definition.getBytes(StandardCharsets.UTF_8), Operation.ANY));
    return Objects.requireNonNull(Types.in(replica).find("example.com", "v1", "widgets"));
  }

  void undefine() {
    commit(new Operation.Delete(DEFINITION, Operation.ANY));
  }

  void putWidget(String name) {
    var metadata = JsonObject.of("name", name, "namespace", "default", "uid", "u-" + name);
    var widget = JsonObject.of("apiVersion", "example.com/v1", "kind", "Widget");
    commit(
        new Operation.Put(
            "/example.com/widgets/default/" + name,
            JsonWriter.bytes(widget.with("metadata", metadata)),
            Operation.ANY));
  }

  Replica replica() {
    return replica;
  }

  long delete(String name) {
    return commit(new Operation.Delete(key(name), Operation.ANY));
  }

  private static String key(String name) {
    return "/configmaps/default/" + name;
  }

  private long commit(Operation operation) {
    var result = store.commit(Transaction.of(operation)).join();
    if (!(result instanceof CommitResult.Committed committed)) {
      throw new AssertionError(result);
    }
    replica.applied(committed.revision()).orTimeout(60, TimeUnit.SECONDS).join();
    return committed.revision();
  }

  long revision() {
    return replica.current().revision();
  }

  /** How many watches were said to be open. */
  int opened() {
    return opened;
  }

  /** How many watches were said to be closed. */
  int closed() {
    return closed;
  }

  /** Those who follow the watch have heard so often that its beginning is sent. */
  int initialised() {
    return initialised;
  }

  /** So many objects of those that watches begin with were counted. */
  int sentInitial() {
    return sentInitial;
  }

  long nanoTime() {
    return nanos;
  }

  void pass(Duration time) {
    nanos += time.toNanos();
  }

  /** All types, or all but the config maps. */
  static Types types(boolean withMaps) {
    return withMaps
        ? TYPES
        : Types.of(BuiltInTypes.all().stream().filter(type -> !same(type)).toList());
  }

  private static boolean same(ServedType type) {
    return type.plural().equals(MAPS.plural()) && type.kind().equals(MAPS.kind());
  }

  /**
   * A watch by that query, from now on, or from the state of now with {@code sendInitialEvents}.
   */
  WatchSession watch(String query) {
    return watch(query, true);
  }

  /**
   * @param atHand whether the initial objects are found and encoded in no time
   */
  WatchSession watch(String query, boolean atHand) {
    return watch(request(MAPS, query, atHand, TIMEOUT), stream);
  }

  /** A watch of config maps from now on that goes to a stream of its own. */
  WatchSession watch(String query, HeldStream to) {
    return watch(request(query), to);
  }

  WatchSession watch(WatchRequest request, HeldStream to) {
    return new WatchSession(
        request, replica.watch(request.storage(), request.afterRevision()), to, () -> nanos);
  }

  WatchRequest request(String query) {
    return request(MAPS, query, true, TIMEOUT);
  }

  WatchRequest request(ServedType type, String query, boolean atHand, Duration timeout) {
    var options = ListOptions.parse(Query.parse("watch=true&" + query), false);
    var selection = Selection.of(type, "", "", options);
    var snapshot = replica.current();
    var initial =
        options.sendInitialEvents()
            ? ListPage.of(snapshot, type, selection, options.withoutPaging()).objects()
            : List.<StoredObject>of();
    var encoding =
        new ResponseEncoders(Clock.systemUTC(), SupportedMediaTypes.STANDARD)
            .of("application/json", "", Query.parse(""), type, "", ResponseEncoders.Kind.WATCH)
            .watch();
    return new WatchRequest(
        type,
        selection,
        snapshot.revision(),
        initial,
        atHand,
        observer(),
        options.sendInitialEvents() && options.allowWatchBookmarks(),
        options.allowWatchBookmarks(),
        timeout,
        encoding,
        null);
  }

  private WatchObserver observer() {
    return new WatchObserver() {
      @Override
      public void opened() {
        opened++;
      }

      @Override
      public void initialised() {
        initialised++;
      }

      @Override
      public void sentInitial(int objects) {
        sentInitial += objects;
      }

      @Override
      public void closed() {
        closed++;
      }
    };
  }

  @Override
  public void close() {
    replica.close();
    store.close();
  }
}
