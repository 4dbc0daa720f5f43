package dev.muster.schema;

import dev.muster.model.JsonObject;
import dev.muster.wire.DecodeException;
import dev.muster.wire.JsonReader;
import dev.muster.wire.JsonWriter;

/** Keeps objects as JSON; reads protobuf too. */
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
    if (!(JsonReader.read(value) instanceof JsonObject object)) {
      throw new DecodeException("the stored value is not a JSON object");
    }
    return Decoded.of(StoredKinds.served(object), revision, false);
  }

  @Override
  public byte[] encode(JsonObject object) {
    return JsonWriter.bytes(StoredKinds.stored(object).withoutAt("metadata", "resourceVersion"));
  }
}
