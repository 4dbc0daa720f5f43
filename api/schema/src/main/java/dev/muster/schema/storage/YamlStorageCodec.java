package dev.muster.schema.storage;

import dev.muster.model.json.JsonObject;
import dev.muster.wire.Bytes;
import dev.muster.wire.yaml.YamlWriter;
import org.jspecify.annotations.Nullable;

/** Stores objects as YAML. Reads JSON and protobuf, too. */
public final class YamlStorageCodec implements StorageCodec {
  private final JsonStorageCodec json = new JsonStorageCodec();

  @Override
  public Decoded decode(byte[] value, long revision) {
    return json.decode(value, revision);
  }

  @Override
  public void encode(JsonObject object, @Nullable Written former, Bytes out) {
    out.add(YamlWriter.bytes(object.withoutAt("metadata", "resourceVersion")));
  }
}
