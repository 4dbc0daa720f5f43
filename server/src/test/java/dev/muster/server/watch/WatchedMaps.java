package dev.muster.server.watch;

import dev.muster.model.json.JsonObject;
import dev.muster.registry.options.ListOptions;
import dev.muster.registry.options.Query;
import dev.muster.registry.read.ListPage;
import dev.muster.registry.read.Selection;
import dev.muster.registry.types.ServedType;
import dev.muster.registry.types.Types;
import dev.muster.registry.types.builtin.BuiltInTypes;
import dev.muster.replica.Replica;
import dev.muster.replica.ReplicaOptions;
import dev.muster.replica.StoredObject;
import dev.muster.server.answer.Representations;
import dev.muster.store.CommitResult;
import dev.muster.store.MemoryStore;
import dev.muster.store.Operation;
import dev.muster.store.Transaction;
import dev.muster.wire.JsonWriter;
import dev.muster.wire.Offer;
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

  final HeldStream stream = new HeldStream();
  private final MemoryStore store = new MemoryStore();
  private final Replica replica;
  private long nanos;
  private int initialised;

  WatchedMaps(ReplicaOptions options) {
    replica = Replica.start(store, TYPES, options);
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

  /** Those who follow the watch have heard so often that its beginning is sent. */
  int initialised() {
    return initialised;
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
    var options = ListOptions.parse(Query.parse("watch=true&" + query), false);
    var selection = Selection.of(MAPS, "", "", options);
    var snapshot = replica.current();
    var initial =
        options.sendInitialEvents()
            ? ListPage.of(snapshot, MAPS, selection, options.withoutPaging()).objects()
            : List.<StoredObject>of();
    var encoding =
        new Representations(Clock.systemUTC(), Offer.STANDARD)
            .of("application/json", "", Query.parse(""), MAPS, "", Representations.Kind.WATCH)
            .watch();
    var request =
        new WatchRequest(
            MAPS,
            selection,
            snapshot.revision(),
            initial,
            atHand,
            observer(),
            options.sendInitialEvents() && options.allowWatchBookmarks(),
            options.allowWatchBookmarks(),
            TIMEOUT,
            encoding,
            null);
    return new WatchSession(
        request, replica.watch(MAPS.storage(), snapshot.revision()), stream, () -> nanos);
  }

  private WatchObserver observer() {
    return new WatchObserver() {
      @Override
      public void opened() {}

      @Override
      public void initialised() {
        initialised++;
      }

      @Override
      public void closed() {}
    };
  }

  @Override
  public void close() {
    replica.close();
    store.close();
  }
}
