package dev.muster.schema.storage;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.wire.BufferPool;
import dev.muster.wire.Bytes;
import dev.muster.wire.JsonWriter;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decodes stored values into objects that the API serves, and encodes objects for the store. A
 * stored object has no resourceVersion; the mod revision of its key takes its place.
 * Implementations are thread-safe.
 */
public interface StorageCodec {
  /**
   * An object as the API serves it, with the values that the replica indexes.
   *
   * @param json the object in UTF-8, including its resourceVersion, without a line break
   * @param namespace "" for cluster-scoped objects
   * @param outdated whether the stored value differs from the object, because it was converted or a
   *     value was filled in
   */
  record Decoded(
      byte[] json,
      String namespace,
      String name,
      String uid,
      Map<String, String> labels,
      boolean outdated) {

    /**
     * The decoded form of a tree.
     *
     * @param revision the revision that becomes its resourceVersion
     */
    public static Decoded of(JsonObject object, long revision, boolean outdated) {
      var metadata = object.object("metadata");
      var served = object.with("metadata", versioned(metadata, revision));
      return new Decoded(
          JsonWriter.bytes(served),
          metadata.string("namespace"),
          metadata.string("name"),
          metadata.string("uid"),
          metadata.object("labels").strings(),
          outdated);
    }

    private static JsonObject versioned(JsonObject metadata, long revision) {
      var version = Json.of(Long.toString(revision));
      var result = JsonObject.builder();
      boolean done = false;
      for (int i = 0; i < metadata.size(); i++) {
        var key = metadata.key(i);
        if (!done && !BEFORE_VERSION.contains(key)) {
          result.put("resourceVersion", version);
          done = true;
        }
        if (!key.equals("resourceVersion")) {
          result.put(key, metadata.value(i));
        }
      }
      return done ? result.build() : result.put("resourceVersion", version).build();
    }

    /** The fields of ObjectMeta that are written before the resourceVersion. */
    private static final Set<String> BEFORE_VERSION =
        Set.of("name", "generateName", "namespace", "selfLink", "uid");
  }

  /**
   * Decodes a stored value.
   *
   * @param revision the mod revision of its key
   * @throws dev.muster.wire.DecodeException when the value is not a readable object
   */
  Decoded decode(byte[] value, long revision);

  /** An object and its encoded JSON, which includes its resourceVersion. */
  record Written(JsonObject tree, byte[] json) {}

  /**
   * Encodes an object of the API for the store.
   *
   * @param former the object from which it was made, if known; parts that both share are copied
   */
  void encode(JsonObject object, @Nullable Written former, Bytes out);

  /** Encodes an object of the API for the store. */
  default byte[] encode(JsonObject object) {
    return encode(object, null);
  }

  /** Encodes an object of the API that was made from another one. */
  default byte[] encode(JsonObject object, @Nullable Written former) {
    var out = BufferPool.take();
    encode(object, former, out);
    return BufferPool.whole(out);
  }
}
