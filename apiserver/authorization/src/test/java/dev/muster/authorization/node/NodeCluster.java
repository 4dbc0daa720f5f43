package dev.muster.authorization.node;

import dev.muster.model.json.JsonObject;
import dev.muster.registry.builtin.BuiltInTypes;
import dev.muster.replica.Replica;
import dev.muster.replica.ReplicaOptions;
import dev.muster.store.CommitResult;
import dev.muster.store.MemoryStore;
import dev.muster.store.Operation;
import dev.muster.store.Transaction;
import dev.muster.types.SnapshotView;
import dev.muster.types.Types;
import dev.muster.wire.JsonReader;
import dev.muster.wire.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A replica of a store in memory. Not for several threads. */
final class NodeCluster implements AutoCloseable {
  private static final Types TYPES = Types.of(BuiltInTypes.all());

  private final MemoryStore store = new MemoryStore();
  private final Replica replica = Replica.start(store, TYPES, ReplicaOptions.defaults());
  private long revision;

  static JsonObject json(String text) {
    return (JsonObject) JsonReader.read(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  NodeCluster put(String collection, String text) {
    return put(collection, json(text));
  }

  NodeCluster put(String collection, JsonObject object) {
    revision = commit(List.of(operation(collection, object)));
    return this;
  }

  /** Puts many, some hundreds in a transaction. */
  NodeCluster putAll(String collection, List<JsonObject> objects) {
    var some = new ArrayList<Operation>();
    for (var object : objects) {
      some.add(operation(collection, object));
      if (some.size() == 500) {
        revision = commit(some);
        some.clear();
      }
    }
    if (!some.isEmpty()) {
      revision = commit(some);
    }
    return this;
  }

  private static Operation operation(String collection, JsonObject object) {
    var metadata = object.object("metadata");
    return new Operation.Put(
        key(collection, metadata.string("namespace"), metadata.string("name")),
        JsonWriter.bytes(object),
        Operation.ANY);
  }

  NodeCluster remove(String collection, String namespace, String name) {
    revision =
        commit(List.of(new Operation.Delete(key(collection, namespace, name), Operation.ANY)));
    return this;
  }

  private static String key(String collection, String namespace, String name) {
    return collection + (namespace.isEmpty() ? "" : "/" + namespace) + "/" + name;
  }

  private long commit(List<Operation> operations) {
    return switch (store.commit(new Transaction(operations)).join()) {
      case CommitResult.Committed committed -> committed.revision();
      case CommitResult.Conflict conflict -> throw new AssertionError(conflict);
      case CommitResult.Unknown unknown -> throw new AssertionError(unknown);
    };
  }

  /** The cluster with everything that was put. */
  SnapshotView view() {
    return new SnapshotView(replica.applied(revision).orTimeout(60, TimeUnit.SECONDS).join());
  }

  @Override
  public void close() {
    replica.close();
    store.close();
  }
}
