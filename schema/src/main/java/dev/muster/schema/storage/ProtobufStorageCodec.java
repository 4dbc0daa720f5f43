package dev.muster.schema.storage;

import dev.muster.model.GroupVersion;
import dev.muster.model.json.JsonObject;
import dev.muster.schema.Schemas;
import dev.muster.schema.StoredKinds;
import dev.muster.schema.protobuf.ProtobufCodec;
import dev.muster.wire.Bytes;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Keeps objects as protobuf, where upstream does: definitions of custom resources and API services,
 * and everything that is not built in, are JSON. Reads JSON too.
 */
public final class ProtobufStorageCodec implements StorageCodec {
  private static final Set<String> JSON_GROUPS =
      Set.of("apiextensions.k8s.io", "apiregistration.k8s.io");

  private final JsonStorageCodec json = new JsonStorageCodec();

  @Override
  public Decoded decode(byte[] value, long revision) {
    return json.decode(value, revision);
  }

  @Override
  public void encode(JsonObject object, @Nullable Written former, Bytes out) {
    var kind = GroupVersion.parse(object.string("apiVersion")).kind(object.string("kind"));
    var shape = JSON_GROUPS.contains(kind.group()) ? null : Schemas.of(kind);
    if (shape == null) {
      json.encode(object, former, out);
    } else {
      var stored = StoredKinds.stored(object).withoutAt("metadata", "resourceVersion");
      out.add(ProtobufCodec.encode(shape, stored));
    }
  }
}
