package dev.muster.server;

import dev.muster.access.ObjectWriter;
import dev.muster.model.GroupVersionResource;
import dev.muster.model.JsonObject;
import dev.muster.registry.Call;
import dev.muster.registry.DeleteOptions;
import dev.muster.registry.Handlers;
import dev.muster.registry.ObjectMeta;
import dev.muster.registry.Query;
import dev.muster.registry.Strategies;
import dev.muster.registry.WriteOptions;
import dev.muster.registry.admission.User;
import dev.muster.replica.Replica;
import dev.muster.schema.ResourceCatalog;
import dev.muster.schema.ResourceType;
import org.jspecify.annotations.Nullable;

/** The server's own writes: through the same handlers as everybody's, in its own name. */
public final class RegistryObjects implements ObjectWriter {
  private static final WriteOptions OPTIONS =
      new WriteOptions(false, "", WriteOptions.Strictness.IGNORE, false);

  private final ResourceCatalog catalog;
  private final Handlers handlers;
  private final Replica replica;

  public RegistryObjects(ResourceCatalog catalog, Handlers handlers, Replica replica) {
    this.catalog = catalog;
    this.handlers = handlers;
    this.replica = replica;
  }

  @Override
  public @Nullable JsonObject read(GroupVersionResource resource, String namespace, String name) {
    var object = replica.current().collection(type(resource).storage()).get(namespace, name);
    return object == null ? null : object.tree();
  }

  @Override
  public void create(GroupVersionResource resource, JsonObject object) {
    var type = type(resource);
    handlers.creates().create(call(type, object), Strategies.of(type).defaults(object), OPTIONS);
  }

  @Override
  public void update(GroupVersionResource resource, JsonObject object) {
    var type = type(resource);
    handlers.puts().put(call(type, object), Strategies.of(type).defaults(object), OPTIONS);
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

  private ResourceType type(GroupVersionResource resource) {
    var type = catalog.find(resource);
    if (type == null) {
      throw new IllegalArgumentException("not served: " + resource);
    }
    return type;
  }

  private static Call call(ResourceType type, JsonObject object) {
    return new Call(
        type,
        "",
        ObjectMeta.namespace(object),
        ObjectMeta.name(object),
        Query.NONE,
        User.SERVER,
        "kube-apiserver",
        warning -> {});
  }
}
