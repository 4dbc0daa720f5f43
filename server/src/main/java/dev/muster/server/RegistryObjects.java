package dev.muster.server;

import dev.muster.access.ObjectWriter;
import dev.muster.model.ApiException;
import dev.muster.model.GroupVersionResource;
import dev.muster.model.JsonObject;
import dev.muster.registry.Call;
import dev.muster.registry.DeleteOptions;
import dev.muster.registry.Handlers;
import dev.muster.registry.ObjectMeta;
import dev.muster.registry.Outcome;
import dev.muster.registry.Query;
import dev.muster.registry.WriteOptions;
import dev.muster.registry.admission.User;
import dev.muster.registry.types.ServedType;
import dev.muster.registry.types.Types;
import dev.muster.replica.Replica;
import dev.muster.wire.JsonWriter;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The server's own writes: through the same handlers as everybody's, in its own name. */
public final class RegistryObjects implements ObjectWriter {
  private static final WriteOptions OPTIONS =
      new WriteOptions(false, "", WriteOptions.Strictness.IGNORE, false);

  /** How often a change starts again after another server's. */
  private static final int TRIES = 50;

  private static final String MERGE_PATCH = "application/merge-patch+json";
  private static final String APPLY_PATCH = "application/apply-patch+yaml";

  /** What the server is called as the owner of fields. */
  private static final String MANAGER = "kube-apiserver";

  /** What the part of it is called that makes flow schemas and priority levels. */
  private static final String FLOW_PRODUCER = "api-priority-and-fairness-config-producer-v1";

  private final Handlers handlers;
  private final Replica replica;
  private final String manager;

  public RegistryObjects(Handlers handlers, Replica replica) {
    this(handlers, replica, MANAGER);
  }

  private RegistryObjects(Handlers handlers, Replica replica, String manager) {
    this.handlers = handlers;
    this.replica = replica;
    this.manager = manager;
  }

  /** The same writes, whose fields belong to a part of the server with a name of its own. */
  RegistryObjects as(String part) {
    return new RegistryObjects(handlers, replica, part);
  }

  @Override
  public @Nullable JsonObject read(GroupVersionResource resource, String namespace, String name) {
    var object = replica.current().collection(type(resource).storage()).get(namespace, name);
    return object == null ? null : object.tree();
  }

  @Override
  public void create(GroupVersionResource resource, JsonObject object) {
    var type = type(resource);
    handlers.creates().create(call(type, object), type.strategy().defaults(object), OPTIONS);
  }

  @Override
  public void update(GroupVersionResource resource, JsonObject object) {
    var type = type(resource);
    handlers.puts().put(call(type, object), type.strategy().defaults(object), OPTIONS);
  }

  /**
   * Changes an object, or makes it: reads it, hands it over, and writes what comes back, until
   * nobody else was faster. The change may thus be asked several times and sees the latest state.
   *
   * @param change gets null when there is no object; answers the object as it should be, or null to
   *     leave everything as it is
   * @return the object as it is stored now, or null when there is none
   */
  public @Nullable JsonObject change(
      GroupVersionResource resource,
      String namespace,
      String name,
      UnaryOperator<@Nullable JsonObject> change) {
    var type = type(resource);
    for (int i = 0; ; i++) {
      var live = i == 0 ? read(resource, namespace, name) : readLatest(type, namespace, name);
      var wanted = change.apply(live);
      if (wanted == null || Objects.equals(wanted, live)) {
        return live;
      }
      var complete = type.strategy().defaults(wanted);
      var call = call(type, complete);
      try {
        return object(
            live == null
                ? handlers.creates().create(call, complete, OPTIONS)
                : handlers.puts().put(call, complete, OPTIONS));
      } catch (ApiException e) {
        boolean overtaken =
            switch (e.reason()) {
              case CONFLICT, ALREADY_EXISTS -> true;
              case NOT_FOUND -> live != null;
              default -> false;
            };
        if (!overtaken || i == TRIES) {
          throw e;
        }
      }
    }
  }

  /** The object as everything acknowledged before this call left it. */
  public @Nullable JsonObject readLatest(
      GroupVersionResource resource, String namespace, String name) {
    return readLatest(type(resource), namespace, name);
  }

  private @Nullable JsonObject readLatest(ServedType type, String namespace, String name) {
    var object = handlers.latest().collection(type.storage()).get(namespace, name);
    return object == null ? null : object.tree();
  }

  private static @Nullable JsonObject object(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Stored stored -> stored.object().tree();
      case Outcome.Shown shown -> shown.object();
      case Outcome.Made made -> made.body();
      case Outcome.Done ignored -> null;
      case Outcome.Several ignored -> null;
    };
  }

  /**
   * Deletes that very version of the object.
   *
   * @throws dev.muster.model.ApiException {@code Conflict} when it has changed since, {@code
   *     NotFound} when it is gone
   */
  public void delete(GroupVersionResource resource, JsonObject object) {
    var preconditions =
        JsonObject.of("resourceVersion", object.object("metadata").string("resourceVersion"));
    var options = JsonObject.of("preconditions", preconditions);
    handlers.deletes().delete(call(type(resource), object), DeleteOptions.of(options, Query.NONE));
  }

  /**
   * Applies a status to an object that is there, and takes over what it says from whoever owns it.
   *
   * @param applied its name, its namespace and what of its status belongs to this part
   */
  void applyStatus(GroupVersionResource resource, JsonObject applied) {
    var type = type(resource);
    var body =
        applied.with("kind", type.kind().kind()).with("apiVersion", type.kind().apiVersion());
    var query = Query.parse("force=true&fieldManager=" + manager);
    handlers
        .patches()
        .patch(call(type, "status", applied, query), APPLY_PATCH, JsonWriter.bytes(body));
  }

  /**
   * Applies a merge patch; a resource version in it must be the present one.
   *
   * @throws dev.muster.model.ApiException {@code NotFound}, or {@code Conflict} when that version
   *     is not the present one
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

  private Call call(ServedType type, JsonObject object) {
    return call(type, "", object, Query.NONE);
  }

  private Call call(ServedType type, String subresource, JsonObject object, Query query) {
    return new Call(
        type,
        subresource,
        ObjectMeta.namespace(object),
        ObjectMeta.name(object),
        query,
        User.SERVER,
        type.kind().group().equals("flowcontrol.apiserver.k8s.io") ? FLOW_PRODUCER : manager,
        warning -> {});
  }
}
