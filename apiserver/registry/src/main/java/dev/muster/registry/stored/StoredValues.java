package dev.muster.registry.stored;

import dev.muster.model.GroupVersion;
import dev.muster.model.GroupVersionKind;
import dev.muster.model.address.Cidr;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.services.AddressesOnRead;
import dev.muster.replica.object.ObjectDecoder;
import dev.muster.schema.protobuf.ProtobufCodec;
import dev.muster.schema.read.TypedReader;
import dev.muster.schema.storage.StorageCodec;
import dev.muster.types.ServedType;
import dev.muster.types.Types;
import dev.muster.wire.Bytes;
import dev.muster.wire.DecodeException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Encodes and decodes all stored objects. A value in this build's canonical form is used as it is.
 * Every other value is read as kube-apiserver reads it: in any encoding, converted from its stored
 * version, with that version's defaults. Thread-safe.
 */
public final class StoredValues implements StorageCodec {
  private final StorageCodec codec;
  private final Types types;
  private final StoredObjects objects;
  private final CanonicalChecksum canonicalChecksum;

  /** Makes the types whose objects may be stored. */
  @FunctionalInterface
  public interface TypesReadBy {
    /**
     * @param readers returns the decoder for the objects of a collection
     */
    Types types(Function<String, ObjectDecoder> readers);
  }

  /**
   * @param codec encodes objects, and decodes values in this build's canonical form
   * @param clusterIps the cluster IP ranges, the primary one first
   * @param types makes the types whose objects this codec reads
   */
  public StoredValues(StorageCodec codec, List<Cidr> clusterIps, TypesReadBy types) {
    this(codec, clusterIps, types, new CanonicalChecksum(CanonicalChecksum.FORM));
  }

  StoredValues(
      StorageCodec codec,
      List<Cidr> clusterIps,
      TypesReadBy types,
      CanonicalChecksum canonicalChecksum) {
    this.codec = codec;
    this.canonicalChecksum = canonicalChecksum;
    this.types = types.types(storage -> (value, revision) -> decode(storage, value, revision));
    this.objects = new StoredObjects(this.types, new ReadDefaults(new AddressesOnRead(clusterIps)));
  }

  /** The types whose objects this codec reads. */
  public Types types() {
    return types;
  }

  Decoded decode(String storage, byte[] value, long revision) {
    var type = types.ofStorage(storage);
    return type == null || (canonicalChecksum.isOn(value) && type.kept().equals(type.stored()))
        ? codec.decode(value, revision)
        : foreign(type, value, revision);
  }

  /** Decodes a value that is not an API object, such as the allocation state. */
  @Override
  public Decoded decode(byte[] value, long revision) {
    return codec.decode(value, revision);
  }

  @Override
  public void encode(JsonObject object, @Nullable Written former, Bytes out) {
    int start = out.size();
    codec.encode(object, former, out);
    if (out.buffer()[start] == '{') {
      assert isServedAsItIs(object, Arrays.copyOfRange(out.buffer(), start, out.size()));
      canonicalChecksum.addTo(out, start);
    }
  }

  private Decoded foreign(ServedType type, byte[] value, long revision) {
    if (ProtobufCodec.isEnvelope(value)) {
      var read = ProtobufCodec.decode(value, kind -> objects.reading(type, kind).shape());
      return decoded(type, objects.reading(type, kind(read)), read, revision);
    }
    var document = ForeignBytes.read(value);
    if (!(document.value() instanceof JsonObject object)) {
      throw new DecodeException("the stored value is not an object");
    }
    var reading = objects.reading(type, kind(object));
    var unique =
        document.duplicates().isEmpty()
            ? object
            : TypedReader.read(reading.shape(), document).object();
    var read = TypedReader.normal(reading.shape(), unique);
    return decoded(type, reading, read, revision);
  }

  private Decoded decoded(
      ServedType type, StoredObjects.Reading reading, JsonObject read, long revision) {
    var served = objects.served(type, reading, read);
    return Decoded.of(served, revision, !type.forStore(served).equals(read));
  }

  private static GroupVersionKind kind(JsonObject object) {
    var kind = object.string("kind");
    var version = object.string("apiVersion");
    if (kind.isEmpty() || version.isEmpty()) {
      throw new DecodeException(
          "Object '%s' is missing in the stored value"
              .formatted(kind.isEmpty() ? "Kind" : "apiVersion"));
    }
    return GroupVersion.parse(version).kind(kind);
  }

  /** Whether a value is in canonical form, as its checksum claims. */
  private boolean isServedAsItIs(JsonObject object, byte[] value) {
    var kind = kind(object);
    var type = objects.type(kind);
    if (type == null || !type.isStored()) {
      return true;
    }
    var stored = types.ofStorage(type.storage());
    if (stored == null) {
      return true;
    }
    var own = codec.decode(value, 1).json();
    var foreign = foreign(stored, value, 1).json();
    if (!Arrays.equals(own, foreign)) {
      throw new AssertionError(
          "written: "
              + new String(own, StandardCharsets.UTF_8)
              + "\nread:    "
              + new String(foreign, StandardCharsets.UTF_8));
    }
    return true;
  }
}
