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
 * A write on its way to the store.
 *
 * @param subresource "" for the resource itself
 * @param namespace "" for cluster-scoped resources
 * @param requestedName as in the path, or as generated; "" when it is not known, and for a member
 *     of a collection that is deleted, as kube-apiserver has it. Webhooks and policies are shown
 *     this one; rules of our own ask for the object's {@link #name()}
 * @param object as it would be stored, in the version of the request; null for a delete
 * @param oldObject what is stored now, in the version of the request; null for a create
 * @param options CreateOptions, UpdateOptions, PatchOptions or DeleteOptions
 * @param cluster the cluster as the write will find it
 * @param deadline until when whoever admits it may take
 * @param warnings takes texts for the client's {@code Warning} header
 * @param annotations what the audit log will say of the request
 * @param reinvocation shared by all who mutate
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
   * The name of the object that this is about, also where the request does not say it: a rule about
   * certain objects holds for them however they are reached. "" for an object that has none yet.
   */
  public String name() {
    return requestedName.isEmpty() && oldObject != null
        ? ObjectMeta.name(oldObject)
        : requestedName;
  }

  /** The object of a create, update or connect. */
  public JsonObject mustObject() {
    if (object == null) {
      throw new IllegalStateException(operation + " has no object");
    }
    return object;
  }

  /** The stored object of an update or delete. */
  public JsonObject mustOldObject() {
    if (oldObject == null) {
      throw new IllegalStateException(operation + " has no old object");
    }
    return oldObject;
  }

  public GroupResource resource() {
    return type.groupResource();
  }

  /** Whether this is about that resource of that group, whatever its subresource. */
  public boolean isFor(String group, String plural) {
    return type.plural().equals(plural) && type.kind().group().equals(group);
  }

  /** Whether an object is written, and neither deleted nor connected to. */
  public boolean createsOrUpdates() {
    return operation == AdmissionOperation.CREATE || operation == AdmissionOperation.UPDATE;
  }
}
