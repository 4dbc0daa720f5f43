package dev.muster.registry.stored;

import dev.muster.model.GroupVersionKind;
import dev.muster.model.JsonObject;
import dev.muster.registry.Strategies;
import dev.muster.registry.conversion.Conversions;
import dev.muster.schema.FormerKinds;
import dev.muster.schema.ProtobufCodec;
import dev.muster.schema.ResourceCatalog;
import dev.muster.schema.ResourceType;
import dev.muster.schema.StructShape;
import dev.muster.schema.TypedReader;
import dev.muster.wire.DecodeException;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Objects that somebody else wrote, in the version in which they are served: converted, with their
 * defaults, in their normal form. Safe for use by many threads.
 */
final class StoredObjects {
  private final ResourceCatalog catalog;
  private final ReadDefaults readDefaults;

  StoredObjects(ResourceCatalog catalog, ReadDefaults readDefaults) {
    this.catalog = catalog;
    this.readDefaults = readDefaults;
  }

  /**
   * How objects of a kind become what a collection serves.
   *
   * @param shape their struct
   * @param version the version that is served and next to theirs
   * @param convert makes objects of that version of them
   */
  record Reading(
      StructShape shape,
      ResourceType version,
      UnaryOperator<JsonObject> convert,
      boolean takesDefaults) {}

  /**
   * How objects of that kind are read where those of a type are expected.
   *
   * @param type in the version in which its objects are kept
   * @throws DecodeException when they cannot be, with kube-apiserver's words
   */
  Reading reading(ResourceType type, GroupVersionKind kind) {
    var served = catalog.ofKind(kind);
    if (served != null && served.storage().equals(type.storage())) {
      return new Reading(served.shape(), served, UnaryOperator.identity(), true);
    }
    var former = FormerKinds.of(kind);
    var version = former == null ? null : catalog.ofKind(former.served());
    if (former != null && version != null && version.storage().equals(type.storage())) {
      var converted = FormerObjects.of(former);
      return new Reading(
          former.shape(), version, converted.convert(), converted.takesDefaults());
    }
    if (served == null && former == null) {
      throw ProtobufCodec.notRegistered(kind);
    }
    throw new DecodeException(
        "converting ("
            + kind.version()
            + "."
            + kind.kind()
            + ") to ("
            + type.kind().kind()
            + "): unknown conversion");
  }

  /**
   * The object as it is served.
   *
   * @param read in the normal form of its struct
   * @param origin the same, if it is in the normal form in which objects of the type are kept
   * @throws DecodeException when it cannot be converted
   */
  JsonObject served(
      ResourceType type, Reading reading, JsonObject read, @Nullable JsonObject origin) {
    var version = reading.version();
    var converted =
        reading
            .convert()
            .apply(read)
            .with("kind", version.kind().kind())
            .with("apiVersion", version.kind().apiVersion());
    var stored = Conversions.toStored(version, converted);
    var defaulted = reading.takesDefaults() ? Strategies.of(type).defaults(stored) : stored;
    return TypedReader.normal(type.shape(), readDefaults.of(type, defaulted), origin);
  }
}
