package dev.muster.schema;

import dev.muster.model.Json;
import dev.muster.model.JsonObject;
import dev.muster.wire.DecodeException;
import dev.muster.wire.JsonReader;
import dev.muster.wire.JsonWriter;
import java.util.Set;

/** Keeps objects as JSON; reads protobuf too. */
public final class JsonStorageCodec implements StorageCodec {
  /** The fields of ObjectMeta that are written before the resourceVersion. */
  private static final Set<String> BEFORE =
      Set.of("name", "generateName", "namespace", "selfLink", "uid");

  @Override
  public Decoded decode(byte[] value, long revision) {
    if (ProtobufCodec.isEnvelope(value)) {
      return decoded(ProtobufCodec.decode(value), revision);
    }
    var spliced = StoredJson.read(value, revision);
    if (spliced != null) {
      return spliced;
    }
    if (!(JsonReader.read(value) instanceof JsonObject object)) {
      throw new DecodeException("the stored value is not a JSON object");
    }
    return decoded(StoredKinds.served(object), revision);
  }

  private static Decoded decoded(JsonObject object, long revision) {
    var metadata = object.object("metadata");
    var served = object.with("metadata", versioned(metadata, revision));
    return new Decoded(
        JsonWriter.bytes(served),
        metadata.string("namespace"),
        metadata.string("name"),
        metadata.string("uid"),
        metadata.object("labels").strings());
  }

  private static JsonObject versioned(JsonObject metadata, long revision) {
    var version = Json.of(Long.toString(revision));
    var result = JsonObject.builder();
    boolean done = false;
    for (int i = 0; i < metadata.size(); i++) {
      var key = metadata.key(i);
      if (!done && !BEFORE.contains(key)) {
        result.put("resourceVersion", version);
        done = true;
      }
      if (!key.equals("resourceVersion")) {
        result.put(key, metadata.value(i));
      }
    }
    return done ? result.build() : result.put("resourceVersion", version).build();
  }

  @Override
  public byte[] encode(JsonObject object) {
    return JsonWriter.bytes(StoredKinds.stored(object).withoutAt("metadata", "resourceVersion"));
  }
}
