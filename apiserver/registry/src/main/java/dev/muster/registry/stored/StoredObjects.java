package dev.muster.registry.stored;

import dev.muster.model.GroupVersionKind;
import dev.muster.model.json.JsonObject;
import dev.muster.schema.LegacyKinds;
import dev.muster.schema.StructShape;
import dev.muster.schema.protobuf.ProtobufCodec;
import dev.muster.schema.read.TypedReader;
import dev.muster.types.ServedType;
import dev.muster.types.Types;
import dev.muster.wire.DecodeException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Objects that somebody else wrote, in the version in which they are served: converted, with their
 * defaults, in their normal form. Safe for use by many threads.
 */
final class StoredObjects {
  private final Map<GroupVersionKind, ServedType> types = new HashMap<>();
  private final ReadDefaults readDefaults;
  private final Map<GroupVersionKind, Optional<Reading>> readings = new ConcurrentHashMap<>();

  StoredObjects(Types types, ReadDefaults readDefaults) {
    types.all().forEach(type -> this.types.put(type.kind(), type));
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
      ServedType version,
      UnaryOperator<JsonObject> convert,
      boolean takesDefaults) {}

  /** The type of that kind, or null. */
  @Nullable ServedType type(GroupVersionKind kind) {
    return types.get(kind);
  }

  /**
   * How objects of that kind are read where those of a type are expected.
   *
   * @param type in the version in which its objects are kept
   * @throws DecodeException when they cannot be, with kube-apiserver's words
   */
  Reading reading(ServedType type, GroupVersionKind kind) {
    var reading = readings.computeIfAbsent(kind, this::find).orElse(null);
    if (reading == null) {
      throw ProtobufCodec.notRegistered(kind);
    }
    if (reading.version().storage().equals(type.storage())) {
      return reading;
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

  private Optional<Reading> find(GroupVersionKind kind) {
    var served = types.get(kind);
    if (served != null) {
      return Optional.of(new Reading(served.shape(), served, UnaryOperator.identity(), true));
    }
    var former = LegacyKinds.of(kind);
    var version = former == null ? null : types.get(former.served());
    if (former == null || version == null) {
      return Optional.empty();
    }
    var known = LegacyObjects.of(former);
    return Optional.of(
        new Reading(former.shape(), version, known.convert(), known.takesDefaults()));
  }

  /**
   * The object as it is served.
   *
   * @param read in the normal form of its struct
   * @throws DecodeException when it cannot be converted
   */
  JsonObject served(ServedType type, Reading reading, JsonObject read) {
    var version = reading.version();
    var converted = named(version.kind(), reading.convert().apply(read));
    var stored = version.toStored(converted);
    var defaulted = reading.takesDefaults() ? type.strategy().defaults(stored) : stored;
    var origin = reading.shape() == type.shape() ? read : null;
    return TypedReader.normal(type.shape(), readDefaults.of(type, defaulted), origin);
  }

  private static JsonObject named(GroupVersionKind kind, JsonObject object) {
    return object.string("apiVersion").equals(kind.apiVersion())
        ? object
        : object.with("apiVersion", kind.apiVersion());
  }
}
