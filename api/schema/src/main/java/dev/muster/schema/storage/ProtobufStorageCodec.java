package dev.muster.schema.storage;

import dev.muster.model.GroupVersion;
import dev.muster.model.GroupVersionKind;
import dev.muster.model.json.JsonObject;
import dev.muster.schema.StructShape;
import dev.muster.schema.protobuf.ProtobufCodec;
import dev.muster.wire.Bytes;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Stores objects of some kinds as protobuf and others as JSON. Reads JSON, too. */
public final class ProtobufStorageCodec implements StorageCodec {
  private final JsonStorageCodec json = new JsonStorageCodec();
  private final Function<GroupVersionKind, @Nullable StructShape> shapes;

  /**
   * @param shapes returns the struct of each kind that is stored as protobuf; null for other kinds
   */
  public ProtobufStorageCodec(Function<GroupVersionKind, @Nullable StructShape> shapes) {
    this.shapes = shapes;
  }

  @Override
  public Decoded decode(byte[] value, long revision) {
    return json.decode(value, revision);
  }

  @Override
  public void encode(JsonObject object, @Nullable Written former, Bytes out) {
    var kind = GroupVersion.parse(object.string("apiVersion")).kind(object.string("kind"));
    var shape = shapes.apply(kind);
    if (shape == null) {
      json.encode(object, former, out);
    } else {
      out.add(ProtobufCodec.encode(shape, object.withoutAt("metadata", "resourceVersion")));
    }
  }
}
