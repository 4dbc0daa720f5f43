package dev.muster.registry;

import dev.muster.change.FieldOwnership;
import dev.muster.change.Versions;
import dev.muster.model.GroupVersion;
import dev.muster.model.JsonObject;
import dev.muster.registry.conversion.Conversions;
import dev.muster.schema.ResourceCatalog;
import dev.muster.schema.ResourceType;
import dev.muster.schema.StructShape;
import java.time.Instant;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Who owns which fields of the objects that are written. Clients own fields in the version that
 * they use; objects come and go in the stored one. Safe for any thread.
 */
final class FieldOwners {
  private static final ConcurrentHashMap<Endpoint, FieldOwnership> KNOWN =
      new ConcurrentHashMap<>();

  private record Endpoint(StructShape shape, GroupVersion version, String subresource) {}

  /** Types of all versions, loaded when a type of several versions is first written. */
  private static final class Catalog {
    static final ResourceCatalog BUILT_IN = ResourceCatalog.all();
  }

  private FieldOwners() {}

  private static FieldOwnership of(Call call) {
    var type = call.type();
    return KNOWN.computeIfAbsent(
        new Endpoint(type.shape(), type.groupVersion(), call.subresource()),
        endpoint ->
            new FieldOwnership(
                type.shape(),
                type.kind(),
                call.subresource(),
                ResetFields.of(type, call.subresource()),
                versions(type)));
  }

  private static Versions versions(ResourceType type) {
    return (object, apiVersion) -> {
      var from = in(type, object.string("apiVersion"));
      var other = in(type, apiVersion);
      if (other == null) {
        return null;
      }
      var stored = Conversions.toStored(from == null ? type : from, object);
      return new Versions.Converted(other.shape(), Conversions.fromStored(other, stored));
    };
  }

  /**
   * The same type in another of its versions, or null when it has no such version. Another group is
   * none: whoever owns fields of an event in one group loses them to writes in the other.
   */
  private static @Nullable ResourceType in(ResourceType type, String apiVersion) {
    if (apiVersion.equals(type.kind().apiVersion())) {
      return type;
    }
    var version = GroupVersion.parse(apiVersion);
    return version.group().equals(type.kind().group())
        ? Catalog.BUILT_IN.find(version.group(), version.version(), type.plural())
        : null;
  }

  /** The object with managedFields that tell what this request changed. */
  static JsonObject afterWrite(
      Call call, @Nullable JsonObject old, JsonObject object, String manager, Instant now) {
    var type = call.type();
    if (type.kind().equals(type.stored())) {
      var plain = SentEmpty.dropped(type, object);
      var owned = of(call).afterWrite(old, plain, manager, now);
      return plain == object ? owned : ObjectMeta.keep(object, owned, "managedFields");
    }
    var shown =
        of(call)
            .afterWrite(
                old == null ? null : Conversions.fromStored(type, old),
                ObjectMeta.keep(Conversions.fromStored(type, object), object, "managedFields"),
                manager,
                now);
    return ObjectMeta.keep(object, shown, "managedFields");
  }

  /** What comes of an applied configuration, before defaults; both in their stored version. */
  static JsonObject apply(
      Call call, @Nullable JsonObject old, JsonObject applied, WriteOptions options, Instant now) {
    var type = call.type();
    var result =
        of(call)
            .apply(
                old == null ? null : Conversions.fromStored(type, old),
                applied,
                options.fieldManager(),
                options.force(),
                now);
    return Conversions.toStored(type, result.object());
  }
}
