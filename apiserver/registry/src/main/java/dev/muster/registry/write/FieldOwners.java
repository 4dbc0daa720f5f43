package dev.muster.registry.write;

import dev.muster.model.GroupVersion;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.patch.ownership.FieldOwnership;
import dev.muster.patch.ownership.Versions;
import dev.muster.registry.request.ResourceRequest;
import dev.muster.types.Derivation;
import dev.muster.types.ObjectMeta;
import dev.muster.types.ServedType;
import dev.muster.types.options.WriteOptions;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Maintains the managedFields of written objects. Clients own fields in the version that they use,
 * while the handlers pass objects in the stored version. Thread-safe.
 */
final class FieldOwners {
  /** The field ownership of a type by subresource, "" for the object itself. */
  private static final Derivation<ServedType, Map<String, FieldOwnership>> OF_TYPE =
      new Derivation<>(type -> new ConcurrentHashMap<>());

  private FieldOwners() {}

  private static FieldOwnership of(ResourceRequest resourceRequest) {
    var type = resourceRequest.type();
    return OF_TYPE
        .of(type)
        .computeIfAbsent(
            resourceRequest.subresource(),
            subresource ->
                new FieldOwnership(
                    type.shape(),
                    type.kind(),
                    subresource,
                    type.resetFields(subresource),
                    versions(type)));
  }

  private static Versions versions(ServedType type) {
    return (object, apiVersion) -> {
      var from = in(type, object.string("apiVersion"));
      var other = in(type, apiVersion);
      if (other == null) {
        return null;
      }
      var stored = (from == null ? type : from).toStored(object);
      return new Versions.Converted(other.shape(), other.fromStored(stored));
    };
  }

  /**
   * The type in another version, or null when it has no such version. Another group counts as none:
   * the owner of an event's fields in one group loses them to writes in the other.
   */
  private static @Nullable ServedType in(ServedType type, String apiVersion) {
    return apiVersion.equals(type.kind().apiVersion())
        ? type
        : type.inVersion(GroupVersion.parse(apiVersion));
  }

  /** The object with the managedFields after this write. */
  static JsonObject afterWrite(
      ResourceRequest resourceRequest,
      WriteSemantics semantics,
      @Nullable JsonObject old,
      JsonObject object,
      String manager,
      Instant now) {
    return switch (semantics.owners()) {
      case TRACKED -> afterWrite(resourceRequest, old, object, manager, now);
      case TOLD -> object;
      case DROPPED -> ObjectMeta.change(object, metadata -> metadata.without("managedFields"));
    };
  }

  /** The object with managedFields that record what this request changed. */
  static JsonObject afterWrite(
      ResourceRequest resourceRequest,
      @Nullable JsonObject old,
      JsonObject object,
      String manager,
      Instant now) {
    var type = resourceRequest.type();
    if (type.kind().equals(type.stored())) {
      var plain = type.form().withoutEmpties(object);
      var owned = of(resourceRequest).afterWrite(old, plain, manager, now);
      return plain == object ? owned : ObjectMeta.keep(object, owned, "managedFields");
    }
    var shown =
        of(resourceRequest)
            .afterWrite(
                old == null ? null : type.fromStored(old),
                ObjectMeta.keep(type.fromStored(object), object, "managedFields"),
                manager,
                now);
    return ObjectMeta.keep(object, shown, "managedFields");
  }

  /**
   * The admitted object with valid managedFields. If admission made them invalid, the previous ones
   * are restored and the client is warned.
   */
  static JsonObject afterAdmission(
      ResourceRequest resourceRequest, JsonObject before, JsonObject admitted) {
    if (Objects.equals(owners(before), owners(admitted))) {
      return admitted;
    }
    var problem = FieldOwnership.problem(admitted);
    if (problem.isEmpty()) {
      return admitted;
    }
    resourceRequest
        .warnings()
        .accept(
            ".metadata.managedFields was in an invalid state after admission; this could be caused"
                + " by an outdated mutating admission controller; please fix your requests: "
                + problem);
    return ObjectMeta.keep(admitted, before, "managedFields");
  }

  private static @Nullable Json owners(JsonObject object) {
    return object.object("metadata").get("managedFields");
  }

  /**
   * The result of a server-side apply, without defaults; both objects are in their stored version.
   */
  static JsonObject apply(
      ResourceRequest resourceRequest,
      @Nullable JsonObject old,
      JsonObject applied,
      WriteOptions options,
      Instant now) {
    var type = resourceRequest.type();
    var result =
        of(resourceRequest)
            .apply(
                old == null ? null : type.fromStored(old),
                applied,
                options.fieldManager(),
                options.force(),
                now);
    return type.toStored(result.object());
  }
}
