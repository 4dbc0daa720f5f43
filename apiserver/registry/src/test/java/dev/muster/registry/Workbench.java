package dev.muster.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.User;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.body.RequestDecoder;
import dev.muster.registry.commit.Deadline;
import dev.muster.registry.commit.OptimisticWriter;
import dev.muster.registry.commit.StoreGateway;
import dev.muster.registry.request.RequestContext;
import dev.muster.registry.request.ResourceRequest;
import dev.muster.registry.stored.StoredValues;
import dev.muster.registry.write.Allocations;
import dev.muster.registry.write.CreatePermission;
import dev.muster.registry.write.WriteContext;
import dev.muster.registry.write.WriteResult;
import dev.muster.replica.Replica;
import dev.muster.replica.ReplicaOptions;
import dev.muster.replica.snapshot.Snapshot;
import dev.muster.schema.storage.JsonStorageCodec;
import dev.muster.store.CommitResult;
import dev.muster.store.MemoryStore;
import dev.muster.store.Operation;
import dev.muster.store.Transaction;
import dev.muster.testing.LaggingStore;
import dev.muster.types.BuiltIns;
import dev.muster.types.Types;
import dev.muster.types.options.Query;
import dev.muster.types.options.WriteOptions;
import dev.muster.validation.core.Verdicts;
import dev.muster.wire.JsonReader;
import dev.muster.wire.SupportedMediaTypes;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;

/** The handlers of a server without a server, on a store in memory, in the namespace {@code a}. */
public final class Workbench implements AutoCloseable {
  public static final Types TYPES = BuiltIns.TYPES;

  public final List<String> warnings = new ArrayList<>();
  public final Handlers handlers;
  CreatePermission mayCreate = CreatePermission.IMPLIED;
  Duration patience = Duration.ofSeconds(30);
  private final MemoryStore store = new MemoryStore();

  /** The way of this server's writes to the store; others can be just a little faster. */
  final LaggingStore link = new LaggingStore(store);

  /** The way of commits to this server, where they can be held back. */
  final LaggingStore feed = new LaggingStore(store);

  private final Replica replica;

  public Workbench() {
    this(Admission.NONE, Allocations.NONE);
  }

  public Workbench(Admission admission) {
    this(admission, Allocations.NONE);
  }

  public Workbench(Allocations allocations) {
    this(Admission.NONE, allocations);
  }

  private Workbench(Admission admission, Allocations allocations) {
    var values = new StoredValues(new JsonStorageCodec(), List.of(), BuiltIns::readBy);
    replica = Replica.start(feed, values.types(), ReplicaOptions.defaults());
    replica.fresh().join();
    handlers =
        Handlers.of(
            new WriteContext(
                new OptimisticWriter(new StoreGateway(link, replica), new Random(2)),
                values,
                admission,
                resourceRequest -> mayCreate.check(resourceRequest),
                allocations,
                Clock.fixed(Instant.parse("2026-01-01T00:00:00Z"), ZoneOffset.UTC),
                new Random(1),
                () -> UUID.randomUUID().toString(),
                () -> TYPES,
                "/registry"),
            new RequestDecoder(
                () -> TYPES,
                (encoding, bytes) -> JsonReader.document(bytes),
                SupportedMediaTypes.STANDARD));
  }

  /** A request about an object; the resource is written {@code group/version/plural}. */
  public ResourceRequest call(String resource, String name, String subresource) {
    return call(resource, name, subresource, "");
  }

  public ResourceRequest call(String resource, String name, String subresource, String query) {
    var parts = resource.split("/");
    var type =
        parts.length == 2
            ? TYPES.find("", parts[0], parts[1])
            : TYPES.find(parts[0], parts[1], parts[2]);
    return new ResourceRequest(
        Objects.requireNonNull(type),
        subresource,
        "a",
        name,
        Query.parse(query),
        RequestContext.trusted(
            User.of("someone"), "test/1", Deadline.after(patience), warnings::add));
  }

  static RequestDecoder.Encoded body(String json) {
    return new RequestDecoder.Encoded(
        "application/json", json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  static WriteOptions options(ResourceRequest resourceRequest, String kind) {
    return WriteOptions.parse(resourceRequest.query(), kind, false);
  }

  public WriteResult create(String resource, String json) {
    return create(resource, json, "");
  }

  public WriteResult create(String resource, String json, String query) {
    var resourceRequest = call(resource, "", "", query);
    return handlers
        .creates()
        .create(
            resourceRequest,
            handlers.bodies().object(resourceRequest, body(json), WriteOptions.Strictness.STRICT),
            options(resourceRequest, "CreateOptions"));
  }

  /** The cluster as it is now. */
  Snapshot snapshot() {
    return replica.fresh().join();
  }

  /** Writes past the handlers, as another server would. */
  void commit(Operation operation) {
    commitElsewhere(operation);
    replica.fresh().join();
  }

  /** Writes past the handlers without waiting until this server has heard of it. */
  void commitElsewhere(Operation... operations) {
    assertThat(store.commit(Transaction.of(operations)).join())
        .isInstanceOf(CommitResult.Committed.class);
  }

  WriteResult put(String resource, String name, String subresource, String json) {
    var resourceRequest = call(resource, name, subresource);
    var object =
        handlers.bodies().object(resourceRequest, body(json), WriteOptions.Strictness.STRICT);
    return handlers.puts().put(resourceRequest, object, options(resourceRequest, "UpdateOptions"));
  }

  WriteResult apply(String resource, String name, String subresource, String json) {
    return handlers
        .patches()
        .patch(
            call(resource, name, subresource, "fieldManager=m"),
            "application/apply-patch+yaml",
            body(json).bytes());
  }

  /** Applies a merge patch. */
  public WriteResult patch(String resource, String name, String subresource, String json) {
    return handlers
        .patches()
        .patch(
            call(resource, name, subresource), "application/merge-patch+json", body(json).bytes());
  }

  /** The object as it is stored, or an empty one. */
  public JsonObject stored(String resource, String name) {
    var resourceRequest = call(resource, name, "");
    var namespace = resourceRequest.type().namespaced() ? "a" : "";
    var found =
        replica.fresh().join().collection(resourceRequest.type().storage()).get(namespace, name);
    return found == null ? JsonObject.EMPTY : found.tree();
  }

  public static JsonObject json(String text) {
    return Verdicts.json(text);
  }

  @Override
  public void close() {
    replica.close();
    store.close();
  }
}
