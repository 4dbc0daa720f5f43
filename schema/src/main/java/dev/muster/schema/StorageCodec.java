package dev.muster.schema;

import dev.muster.model.JsonObject;
import java.util.Map;

/**
 * Turns what lies in the store into what the API serves, and back. In the store an object has no
 * resourceVersion: it is the revision of its key. Implementations are safe for any number of
 * threads.
 */
public interface StorageCodec {
  /**
   * The codec for a value of {@code --storage-media-type}.
   *
   * @throws IllegalArgumentException when it is neither JSON nor protobuf
   */
  static StorageCodec of(String mediaType) {
    return switch (mediaType) {
      case "application/json" -> new JsonStorageCodec();
      case "application/vnd.kubernetes.protobuf" -> new ProtobufStorageCodec();
      default ->
          throw new IllegalArgumentException(
              "--storage-media-type is application/json or application/vnd.kubernetes.protobuf,"
                  + " not "
                  + mediaType);
    };
  }

  /**
   * An object as the API serves it, with what the replica indexes.
   *
   * @param json the object in UTF-8, its resourceVersion included, without a line end
   * @param namespace "" for cluster-scoped objects
   */
  record Decoded(
      byte[] json, String namespace, String name, String uid, Map<String, String> labels) {}

  /**
   * Reads a stored value.
   *
   * @param revision the revision of its key
   * @throws dev.muster.wire.DecodeException when the value is not an object that can be read
   */
  Decoded decode(byte[] value, long revision);

  /** The value to store for an object of the API. */
  byte[] encode(JsonObject object);
}
