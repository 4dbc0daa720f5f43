package dev.muster.registry.services;

import dev.muster.model.json.JsonObject;
import dev.muster.schema.storage.StorageCodec;
import dev.muster.wire.JsonReader;

/** Reads stored RangeAllocations, which are not served by the API. */
final class RangeAllocations {
  private RangeAllocations() {}

  static JsonObject read(byte[] value, StorageCodec codec) {
    return JsonReader.read(codec.decode(value, 0).json()) instanceof JsonObject object
        ? object
        : JsonObject.EMPTY;
  }
}
