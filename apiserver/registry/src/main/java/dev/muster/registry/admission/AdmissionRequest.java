package dev.muster.registry.admission;

import dev.muster.model.GroupResource;
import dev.muster.model.User;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.commit.AuditAnnotations;
import dev.muster.registry.commit.Deadline;
import dev.muster.types.ClusterView;
import dev.muster.types.ObjectMeta;
import dev.muster.types.ServedType;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A request as admission steps see it.
 *
 * @param subresource "" for the resource itself
 * @param namespace "" for cluster-scoped resources
 * @param requestedName the name in the path or the generated name; "" when it is unknown and for a
 *     member of a deleted collection, as in kube-apiserver. Webhooks and policies receive this
 *     name; built-in plugins use {@link #name()}
 * @param object the object to store, in the version of the request; null for a delete
 * @param oldObject the stored object, in the version of the request; null for a create
 * @param options CreateOptions, UpdateOptions, PatchOptions or DeleteOptions
 * @param cluster the cluster in the snapshot of this attempt
 * @param deadline when admission must be done
 * @param warnings receives texts for the client's {@code Warning} header
 * @param annotations the annotations of the request's audit event
 * @param reinvocation shared by all mutating plugins
 */
public record AdmissionRequest(
    AdmissionOperation operation,
    ServedType type,
    String subresource,
    String namespace,
    String requestedName,
    @Nullable JsonObject object,
    @Nullable JsonObject oldObject,
    User user,
    boolean dryRun,
    JsonObject options,
    ClusterView cluster,
    Deadline deadline,
    Consumer<String> warnings,
    AuditAnnotations annotations,
    Reinvocation reinvocation) {

  public AdmissionRequest withObject(JsonObject changed) {
    return new AdmissionRequest(
        operation,
        type,
        subresource,
        namespace,
        requestedName,
        changed,
        oldObject,
        user,
        dryRun,
        options,
        cluster,
        deadline,
        warnings,
        annotations,
        reinvocation);
  }

  /**
   * The name of the object, even when the request does not contain it, so that a rule about certain
   * objects applies to every way of reaching them. "" for an object that has no name yet.
   */
  public String name() {
    return requestedName.isEmpty() && oldObject != null
        ? ObjectMeta.name(oldObject)
        : requestedName;
  }

  /** The object of a create, update or connect request. */
  public JsonObject mustObject() {
    if (object == null) {
      throw new IllegalStateException(operation + " has no object");
    }
    return object;
  }

  /** The stored object of an update or delete request. */
  public JsonObject mustOldObject() {
    if (oldObject == null) {
      throw new IllegalStateException(operation + " has no old object");
    }
    return oldObject;
  }

  public GroupResource resource() {
    return type.groupResource();
  }

  /** Whether the request is for that resource or one of its subresources. */
  public boolean isFor(String group, String plural) {
    return type.plural().equals(plural) && type.kind().group().equals(group);
  }

  /** Whether the request is a create or an update, not a delete or connect. */
  public boolean createsOrUpdates() {
    return operation == AdmissionOperation.CREATE || operation == AdmissionOperation.UPDATE;
  }
}
