package dev.muster.registry.stored;

import dev.muster.model.address.Cidr;
import dev.muster.model.json.JsonObject;
import dev.muster.schema.storage.JsonStorageCodec;
import dev.muster.types.BuiltIns;
import dev.muster.wire.JsonReader;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Values that somebody else wrote, and what is served of them. */
final class Stored {
  private static final StoredValues VALUES =
      new StoredValues(
          new JsonStorageCodec(), List.of(Cidr.parse("10.0.0.0/24")), BuiltIns::readBy);

  private Stored() {}

  /** A value in JSON, written with single quotes. */
  static byte[] value(String json) {
    return json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
  }

  /** What is served of a value in JSON, written with single quotes. */
  static JsonObject read(String storage, String json) {
    return tree(VALUES.decode(storage, value(json), 5).json());
  }

  static JsonObject tree(byte[] json) {
    return (JsonObject) JsonReader.read(json);
  }

  /** A part of an object, or nothing, as JSON with single quotes. */
  static String at(JsonObject object, String... path) {
    var found = object.at(path);
    return found == null ? "" : found.toString().replace('"', '\'');
  }
}
