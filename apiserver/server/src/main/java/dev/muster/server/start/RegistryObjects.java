package dev.muster.server.start;

import dev.muster.authorization.bootstrap.ObjectWriter;
import dev.muster.model.GroupVersionResource;
import dev.muster.model.User;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.Handlers;
import dev.muster.registry.commit.Deadline;
import dev.muster.registry.request.RequestContext;
import dev.muster.registry.request.ResourceRequest;
import dev.muster.registry.write.ServerChange;
import dev.muster.registry.write.WriteResult;
import dev.muster.replica.Replica;
import dev.muster.replica.object.StoredObject;
import dev.muster.server.definitions.DefinitionWrites;
import dev.muster.types.ObjectMeta;
import dev.muster.types.ServedType;
import dev.muster.types.Types;
import dev.muster.types.options.DeleteOptions;
import dev.muster.types.options.Query;
import dev.muster.types.options.WriteOptions;
import dev.muster.wire.JsonWriter;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes objects as the server's own user, through the same handlers as client requests.
 */
public final class RegistryObjects implements ObjectWriter, DefinitionWrites {
  private static final WriteOptions OPTIONS =
      new WriteOptions(false, "", WriteOptions.Strictness.IGNORE, false);

  private static final String MERGE_PATCH = "application/merge-patch+json";

  /** The server's name as a field manager. */
  private static final String MANAGER = "kube-apiserver";

  /**
   * The field manager name of the component that creates FlowSchemas and
   * PriorityLevelConfigurations.
   */
  private static final String FLOW_PRODUCER = "api-priority-and-fairness-config-producer-v1";

  private final Handlers handlers;
  private final Replica replica;
  private final Duration patience;
  private final String manager;

  /**
   * @param patience how long a write is retried
   */
  public RegistryObjects(Handlers handlers, Replica replica, Duration patience) {
    this(handlers, replica, patience, MANAGER);
  }

  private RegistryObjects(Handlers handlers, Replica replica, Duration patience, String manager) {
    this.handlers = handlers;
    this.replica = replica;
    this.patience = patience;
    this.manager = manager;
  }

  /** The same writes with the field manager name of another component. */
  RegistryObjects as(String part) {
    return new RegistryObjects(handlers, replica, patience, part);
  }

  /** The object in the newest snapshot, or null; the namespace is "" for cluster-scoped objects. */
  public @Nullable JsonObject read(GroupVersionResource resource, String namespace, String name) {
    var object = replica.current().collection(type(resource).storage()).get(namespace, name);
    return object == null ? null : object.tree();
  }

  @Override
  public void create(GroupVersionResource resource, JsonObject object) {
    var type = type(resource);
    handlers.creates().create(call(type, object), type.strategy().defaults(object), OPTIONS);
  }

  /**
   * Replaces an object.
   *
   * @throws dev.muster.model.status.ApiException {@code Conflict} when the object's resource
   *     version is not the current one
   */
  public void update(GroupVersionResource resource, JsonObject object) {
    var type = type(resource);
    handlers.puts().put(call(type, object), type.strategy().defaults(object), OPTIONS);
  }

  @Override
  public void change(
      GroupVersionResource resource, String namespace, String name, ServerChange change) {
    handlers.updates().change(call(type(resource), "", namespace, name, Query.NONE), change);
  }

  @Override
  public long changeStatus(
      GroupVersionResource resource, String namespace, String name, ServerChange change) {
    var resourceRequest = call(type(resource), "status", namespace, name, Query.NONE);
    return handlers.updates().change(resourceRequest, change) instanceof WriteResult.Stored stored
        ? stored.object().revision()
        : 0;
  }

  /** The object after every write that was acknowledged before this call. */
  public @Nullable JsonObject readLatest(
      GroupVersionResource resource, String namespace, String name) {
    var latest = handlers.latest(Deadline.after(patience));
    var object = latest.collection(type(resource).storage()).get(namespace, name);
    return object == null ? null : object.tree();
  }

  @Override
  public void delete(GroupVersionResource resource, JsonObject object) {
    var revision = object.object("metadata").string("resourceVersion");
    handlers.deletes().delete(call(type(resource), object), onlyAt(revision));
  }

  @Override
  public void delete(ServedType type, StoredObject object) {
    var name = object.name();
    handlers
        .deletes()
        .delete(
            call(type, "", name.namespace(), name.name(), Query.NONE),
            onlyAt(Long.toString(object.revision())));
  }

  private static DeleteOptions onlyAt(String revision) {
    var preconditions = JsonObject.of("resourceVersion", revision);
    return DeleteOptions.of(JsonObject.of("preconditions", preconditions), Query.NONE);
  }

  /**
   * Deletes an object in any version.
   *
   * @throws dev.muster.model.status.ApiException {@code Conflict} when an object of that name has
   *     another UID, {@code NotFound} when there is none
   */
  public void delete(GroupVersionResource resource, String namespace, String name, String uid) {
    var options = JsonObject.of("preconditions", JsonObject.of("uid", uid));
    handlers
        .deletes()
        .delete(
            call(type(resource), "", namespace, name, Query.NONE),
            DeleteOptions.of(options, Query.NONE));
  }

  /**
   * Applies a status to an existing object, and takes over its fields from other managers.
   *
   * @param applied name, namespace and the status fields of this component
   */
  void applyStatus(GroupVersionResource resource, JsonObject applied) {
    var type = type(resource);
    var body =
        applied.with("kind", type.kind().kind()).with("apiVersion", type.kind().apiVersion());
    var query = Query.parse("force=true&fieldManager=" + manager);
    handlers.patches().apply(call(type, "status", applied, query), body);
  }

  /**
   * Applies a merge patch; a resource version in it must be the current one.
   *
   * @throws dev.muster.model.status.ApiException {@code NotFound}, or {@code Conflict} when that
   *     version is not the current one
   */
  public void patch(
      GroupVersionResource resource, String namespace, String name, JsonObject patch) {
    var place = JsonObject.of("metadata", JsonObject.of("namespace", namespace, "name", name));
    handlers.patches().patch(call(type(resource), place), MERGE_PATCH, JsonWriter.bytes(patch));
  }

  private ServedType type(GroupVersionResource resource) {
    var type = Types.in(replica).known(resource);
    if (type == null) {
      throw new IllegalArgumentException("not served: " + resource);
    }
    return type;
  }

  private ResourceRequest call(ServedType type, JsonObject object) {
    return call(type, "", object, Query.NONE);
  }

  private ResourceRequest call(
      ServedType type, String subresource, JsonObject object, Query query) {
    return call(type, subresource, ObjectMeta.namespace(object), ObjectMeta.name(object), query);
  }

  private ResourceRequest call(
      ServedType type, String subresource, String namespace, String name, Query query) {
    return new ResourceRequest(
        type,
        subresource,
        namespace,
        name,
        query,
        RequestContext.trusted(
            User.SERVER,
            type.kind().group().equals("flowcontrol.apiserver.k8s.io") ? FLOW_PRODUCER : manager,
            Deadline.after(patience),
            warning -> {}));
  }
}
