package dev.muster.schema.storage;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.schema.StoredKinds;
import dev.muster.schema.protobuf.ProtobufCodec;
import dev.muster.wire.DecodeException;
import dev.muster.wire.JsonReader;
import dev.muster.wire.JsonWriter;
import dev.muster.wire.yaml.YamlReader;

/** Keeps objects as JSON; reads YAML and protobuf too. */
public final class JsonStorageCodec implements StorageCodec {
  @Override
  public Decoded decode(byte[] value, long revision) {
    if (ProtobufCodec.isEnvelope(value)) {
      return Decoded.of(ProtobufCodec.decode(value), revision, false);
    }
    var spliced = StoredJson.read(value, revision);
    if (spliced != null) {
      return spliced;
    }
    if (!(tree(value) instanceof JsonObject object)) {
      throw new DecodeException("the stored value is not an object");
    }
    return Decoded.of(StoredKinds.served(object), revision, false);
  }

  private static Json tree(byte[] value) {
    int start = 0;
    while (start < value.length && Character.isWhitespace(value[start])) {
      start++;
    }
    return start < value.length && value[start] == '{'
        ? JsonReader.read(value)
        : YamlReader.read(value);
  }

  @Override
  public byte[] encode(JsonObject object) {
    return JsonWriter.bytes(StoredKinds.stored(object).withoutAt("metadata", "resourceVersion"));
  }
}
