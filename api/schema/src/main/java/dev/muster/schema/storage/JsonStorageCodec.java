package dev.muster.schema.storage;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.schema.protobuf.ProtobufCodec;
import dev.muster.wire.Bytes;
import dev.muster.wire.DecodeException;
import dev.muster.wire.JsonReader;
import dev.muster.wire.JsonScanner;
import dev.muster.wire.JsonWriter;
import dev.muster.wire.yaml.YamlReader;
import org.jspecify.annotations.Nullable;

/** Stores objects as JSON. Reads YAML and protobuf, too. */
public final class JsonStorageCodec implements StorageCodec {
  /** Encoding a smaller object is faster than finding the parts to copy. */
  private static final int LARGE = 8192;

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
    return Decoded.of(object, revision, false);
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
  public void encode(JsonObject object, @Nullable Written former, Bytes out) {
    var stored = object.withoutAt("metadata", "resourceVersion");
    var writer = new JsonWriter(out);
    if (former == null || former.json().length < LARGE) {
      writer.write(stored);
      return;
    }
    for (int i = 0; i < stored.size(); i++) {
      out.add(i == 0 ? '{' : ',');
      writer.write(stored.key(i));
      out.add(':');
      if (isShared(stored, i, former.tree())) {
        copy(former.json(), stored.key(i), out);
      } else {
        writer.write(stored.value(i));
      }
    }
    out.add('}');
  }

  /**
   * Metadata is never copied: the served metadata has a resourceVersion, the stored one does not.
   */
  private static boolean isShared(JsonObject object, int member, JsonObject former) {
    return object.value(member) instanceof JsonObject value
        && value == former.get(object.key(member))
        && !object.key(member).equals("metadata");
  }

  private static void copy(byte[] json, String key, Bytes out) {
    int start = JsonScanner.find(json, key);
    out.add(json, start, JsonScanner.afterValue(json, start, json.length) - start);
  }
}
