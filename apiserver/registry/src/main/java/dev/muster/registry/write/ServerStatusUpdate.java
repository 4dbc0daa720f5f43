package dev.muster.registry.write;

import dev.muster.model.GroupVersionResource;
import dev.muster.model.User;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.commit.Deadline;
import dev.muster.registry.request.RequestContext;
import dev.muster.registry.request.ResourceRequest;
import dev.muster.store.Operation;
import dev.muster.types.CanonicalForm;
import dev.muster.types.ObjectMeta;
import dev.muster.types.options.Query;

/**
 * A status update that the server itself makes as a consequence of a request. The server owns the
 * changed fields from then on.
 *
 * @param old the object as it was read, with its resourceVersion
 * @param object the same object with its new status
 */
public record ServerStatusUpdate(GroupVersionResource resource, JsonObject old, JsonObject object) {
  private static final String MANAGER = "kube-apiserver";

  /** Unused: the update is committed with the write of the request. */
  private static final Deadline NONE = new Deadline(0);

  /** The operation that writes the status, guarded by the resourceVersion that was read. */
  public Operation put(WriteContext context) {
    var type = context.types().get().known(resource);
    if (type == null) {
      throw new IllegalArgumentException("no such type: " + resource);
    }
    var name = ObjectMeta.name(old);
    var resourceRequest =
        new ResourceRequest(
            type,
            "status",
            ObjectMeta.namespace(old),
            name,
            Query.NONE,
            RequestContext.trusted(User.SERVER, MANAGER, NONE, ignored -> {}));
    var owned = FieldOwners.afterWrite(resourceRequest, old, object, MANAGER, context.now());
    return new Operation.Put(
        resourceRequest.key(name),
        context.encoded(type, CanonicalForm.of(type, owned)),
        Long.parseLong(ObjectMeta.resourceVersion(old)));
  }
}
