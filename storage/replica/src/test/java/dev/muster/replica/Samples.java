package dev.muster.replica;

import dev.muster.model.ObjectName;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.replica.keyspace.CollectionSpec;
import dev.muster.replica.object.IndexedField;
import dev.muster.replica.object.ObjectDecoder;
import dev.muster.replica.object.StoredObject;
import dev.muster.replica.object.StringPool;
import dev.muster.replica.snapshot.Snapshot;
import dev.muster.schema.storage.JsonStorageCodec;
import dev.muster.store.CommitResult;
import dev.muster.store.EncryptionState;
import dev.muster.store.Operation;
import dev.muster.store.Store;
import dev.muster.store.Transaction;
import dev.muster.wire.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A small key space and objects to put in it. */
public final class Samples {
  private Samples() {}

  public static final String MAPS = "/configmaps";
  public static final String NODES = "/minions";
  public static final String PODS = "/pods";

  public static final ObjectDecoder DECODER = new JsonStorageCodec()::decode;

  /** Two namespaced collections, one outside namespaces; everything else is raw. */
  public static final PlainKeys KEYS =
      new PlainKeys(
          List.of(
              new CollectionSpec(MAPS, DECODER, List.of()),
              new CollectionSpec(NODES, DECODER, List.of()),
              new CollectionSpec(PODS, DECODER, List.of(IndexedField.at("spec.nodeName")))),
          Set.of(NODES));

  public static final ReplicaOptions OPTIONS =
      ReplicaOptions.defaults().withCheckInterval(Duration.ZERO);

  public static JsonObject object(
      String namespace, String name, Map<String, String> labels, String data) {
    var uid = UUID.nameUUIDFromBytes((namespace + "/" + name).getBytes(StandardCharsets.UTF_8));
    var metadata =
        JsonObject.builder().put("name", Json.of(name)).put("namespace", Json.of(namespace));
    metadata.put("uid", Json.of(uid.toString()));
    metadata.put("labels", JsonObject.ofStrings(labels));
    return JsonObject.of(
        "kind", "ConfigMap", "metadata", metadata.build(), "data", JsonObject.of("v", data));
  }

  public static byte[] value(
      String namespace, String name, Map<String, String> labels, String data) {
    return JsonWriter.bytes(object(namespace, name, labels, data));
  }

  public static byte[] value(String namespace, String name, String data) {
    return value(namespace, name, Map.of(), data);
  }

  public static long put(Store store, String key, byte[] value) {
    return commit(store, new Operation.Put(key, value, Operation.ANY));
  }

  /** Writes the config map of that namespace and name. */
  public static long putMap(Store store, String namespace, String name, String data) {
    return put(store, MAPS + "/" + namespace + "/" + name, value(namespace, name, data));
  }

  public static long delete(Store store, String key) {
    return commit(store, new Operation.Delete(key, Operation.ANY));
  }

  public static long commit(Store store, Operation... operations) {
    var result = store.commit(Transaction.of(operations)).join();
    return switch (result) {
      case CommitResult.Committed committed -> committed.revision();
      case CommitResult.Conflict conflict -> throw new AssertionError(conflict);
      case CommitResult.Unknown unknown -> throw new AssertionError(unknown);
    };
  }

  public static Replica start(Store store) {
    return start(store, OPTIONS);
  }

  public static Replica start(Store store, ReplicaOptions options) {
    return Replica.start(store, KEYS, options);
  }

  /** The snapshot with that revision or a later one. */
  public static Snapshot await(Replica replica, long revision) {
    return replica.applied(revision).orTimeout(60, TimeUnit.SECONDS).join();
  }

  public static String data(@Nullable StoredObject object) {
    return Objects.requireNonNull(object).tree().object("data").string("v");
  }

  /** An object as a replica would hold it. */
  public static StoredObject stored(
      String namespace, String name, Map<String, String> labels, long at) {
    var decoded = new JsonStorageCodec().decode(value(namespace, name, labels, "x"), at);
    return new StoredObject(
        new ObjectName(namespace, name),
        at,
        decoded,
        null,
        EncryptionState.NONE,
        List.of(),
        new StringPool());
  }
}
