package dev.muster.patch.ownership;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.patch.ownership.fields.FieldSet;
import java.util.HashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Translates the ownership of an object's replicas to its Scale and back. Immutable.
 *
 * <p>Like kube-apiserver, a write through the scale subresource adds an entry without a time.
 * Unlike kube-apiserver, a write that changes nothing leaves other managers' entries unchanged.
 */
public final class ScaleOwnership {
  private static final String SCALE = "autoscaling/v1";
  private static final FieldSet REPLICAS = FieldSet.of("spec.replicas");

  private final String apiVersion;
  private final Function<String, @Nullable FieldSet> replicas;

  /**
   * @param apiVersion the version of the object in the request
   * @param replicasPath returns the path of the replicas in a version of the object, such as {@code
   *     spec.replicas}; "" for a version without scale, null for a version that does not exist
   */
  public ScaleOwnership(String apiVersion, Function<String, @Nullable String> replicasPath) {
    this.apiVersion = apiVersion;
    this.replicas =
        version -> {
          var path = replicasPath.apply(version);
          return path == null ? null : path.isEmpty() ? FieldSet.EMPTY : FieldSet.of(path);
        };
  }

  /** A manager, in any version. */
  private record Owner(String manager, String operation, String subresource) {
    static Owner of(ManagedEntry entry) {
      return new Owner(entry.id().manager(), entry.id().operation(), entry.id().subresource());
    }
  }

  /**
   * The managedFields of the object's Scale, which contain the owners of the replicas; null without
   * owners.
   */
  public @Nullable Json toScale(JsonObject parent) {
    var scale = ManagedFields.none();
    for (var entry : ManagedFields.stored(parent).entries()) {
      var path = replicas.apply(entry.apiVersion());
      if (path != null && !entry.fields().and(path).isEmpty()) {
        var id = entry.id();
        scale.put(
            new ManagedEntry(
                new ManagerId(id.manager(), id.operation(), SCALE, id.subresource()),
                SCALE,
                entry.time(),
                REPLICAS));
      }
    }
    return scale.encode();
  }

  /**
   * The object with managedFields that contain the owners of its replicas after a write of its
   * Scale.
   */
  public JsonObject toParent(JsonObject parent, JsonObject scale) {
    var owners = new HashMap<Owner, ManagedEntry>();
    for (var entry : ManagedFields.stored(scale).entries()) {
      if (!entry.fields().and(REPLICAS).isEmpty()) {
        owners.put(Owner.of(entry), entry);
      }
    }
    var managed = ManagedFields.stored(parent);
    for (var entry : managed.entries()) {
      var path = replicas.apply(entry.apiVersion());
      if (path == null) {
        managed.remove(entry.id());
      } else if (!entry.fields().and(path).isEmpty() && owners.remove(Owner.of(entry)) == null) {
        managed.put(entry.withFields(entry.fields().minus(path)));
      }
    }
    owners.forEach((owner, entry) -> managed.put(added(owner)));
    var list = managed.encode();
    return list == null
        ? parent.withoutAt("metadata", "managedFields")
        : parent.with("metadata", parent.object("metadata").with("managedFields", list));
  }

  private ManagedEntry added(Owner owner) {
    var id = new ManagerId(owner.manager(), owner.operation(), apiVersion, owner.subresource());
    var path = replicas.apply(apiVersion);
    return new ManagedEntry(id, apiVersion, "", path == null ? REPLICAS : path);
  }
}
