package dev.muster.fleet;

import dev.muster.model.GroupVersionResource;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import dev.muster.registry.Handlers;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.body.RequestDecoder;
import dev.muster.registry.builtin.BuiltInTypes;
import dev.muster.registry.commit.OptimisticWriter;
import dev.muster.registry.commit.StoreGateway;
import dev.muster.registry.write.Allocations;
import dev.muster.registry.write.CreatePermission;
import dev.muster.registry.write.WriteContext;
import dev.muster.replica.Replica;
import dev.muster.replica.ReplicaOptions;
import dev.muster.schema.storage.JsonStorageCodec;
import dev.muster.server.answer.Encoders;
import dev.muster.server.start.RegistryObjects;
import dev.muster.store.Store;
import dev.muster.types.Types;
import dev.muster.wire.SupportedMediaTypes;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;

/** The inner parts of a server, real ones, without sockets: a replica and the write handlers. */
public final class TestServer implements AutoCloseable {
  private static final GroupVersionResource LEASES =
      new GroupVersionResource("coordination.k8s.io", "v1", "leases");

  private final Link link;
  private final Replica replica;
  private final RegistryObjects objects;

  public TestServer(Store store, Clock clock) {
    link = new Link(store);
    var types = Types.of(BuiltInTypes.all());
    var codec = new JsonStorageCodec();
    replica = Replica.start(link, types, ReplicaOptions.defaults());
    var context =
        new WriteContext(
            new OptimisticWriter(new StoreGateway(link, replica), RandomGenerator.getDefault()),
            codec,
            Admission.NONE,
            CreatePermission.IMPLIED,
            Allocations.NONE,
            clock,
            RandomGenerator.getDefault(),
            () -> UUID.randomUUID().toString(),
            () -> types,
            "/registry");
    var handlers =
        Handlers.of(
            context,
            new RequestDecoder(() -> types, Encoders::decode, SupportedMediaTypes.STANDARD));
    objects = new RegistryObjects(handlers, replica, Duration.ofSeconds(30));
    try {
      replica.fresh().get(60, TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new AssertionError("the replica does not load", e);
    }
  }

  public Link link() {
    return link;
  }

  public Replica replica() {
    return replica;
  }

  public RegistryObjects objects() {
    return objects;
  }

  /** All Leases of a namespace, as everybody sees them. */
  public List<JsonObject> leases(String namespace) {
    try {
      var snapshot = replica.fresh().get(60, TimeUnit.SECONDS);
      return snapshot.collection("/leases").in(namespace).stream().map(o -> o.tree()).toList();
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new AssertionError(e);
    }
  }

  /** Makes a namespace, unless it is there. */
  public void makeNamespace(String name) {
    try {
      objects.create(
          new GroupVersionResource("", "v1", "namespaces"),
          JsonObject.of(
              "apiVersion", "v1", "kind", "Namespace", "metadata", JsonObject.of("name", name)));
    } catch (ApiException e) {
      if (e.reason() != Reason.ALREADY_EXISTS) {
        throw e;
      }
    }
  }

  public void createLease(JsonObject lease) {
    objects.create(LEASES, lease);
  }

  @Override
  public void close() {
    replica.close();
  }
}
