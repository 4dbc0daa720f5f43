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
 * Converts objects that other servers stored to the served version, with defaults and in canonical
 * form. Thread-safe.
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
   * How to read stored objects of a kind.
   *
   * @param shape the struct of the stored version
   * @param version the served version that is closest to the stored one
   * @param convert converts objects from the stored version to that version
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
   * How to read objects of a kind in the collection of a type.
   *
   * @param type the type in its storage version
   * @throws DecodeException when the kind does not belong there; the message is kube-apiserver's
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
   * The object in the served version.
   *
   * @param read the object in the canonical form of its struct
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
