package dev.muster.registry.write;

import dev.muster.model.GroupVersionResource;
import dev.muster.model.User;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.commit.Deadline;
import dev.muster.registry.options.Query;
import dev.muster.registry.request.Call;
import dev.muster.registry.request.Caller;
import dev.muster.registry.types.CanonicalForm;
import dev.muster.registry.types.ObjectMeta;
import dev.muster.store.Operation;

/**
 * A status that the server itself writes as a consequence of somebody's request, and owns from then
 * on.
 *
 * @param old the object as it was read, with its resourceVersion
 * @param object the same with its new status
 */
public record OwnStatus(GroupVersionResource resource, JsonObject old, JsonObject object) {
  private static final String MANAGER = "kube-apiserver";

  /** Nothing is waited for: it goes with the commit of somebody's request. */
  private static final Deadline NONE = new Deadline(0);

  /** Writes it unless somebody else has changed the object since it was read. */
  public Operation put(WriteContext context) {
    var type = context.types().get().known(resource);
    if (type == null) {
      throw new IllegalArgumentException("no such type: " + resource);
    }
    var name = ObjectMeta.name(old);
    var call =
        new Call(
            type,
            "status",
            ObjectMeta.namespace(old),
            name,
            Query.NONE,
            Caller.trusted(User.SERVER, MANAGER, NONE, ignored -> {}));
    var owned = FieldOwners.afterWrite(call, old, object, MANAGER, context.now());
    return new Operation.Put(
        call.key(name),
        context.encoded(type, CanonicalForm.of(type, owned)),
        Long.parseLong(ObjectMeta.resourceVersion(old)));
  }
}
