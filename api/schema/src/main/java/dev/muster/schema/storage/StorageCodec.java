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
 * Turns what lies in the store into what the API serves, and back. In the store an object has no
 * resourceVersion: it is the revision of its key. Implementations are safe for any number of
 * threads.
 */
public interface StorageCodec {
  /**
   * An object as the API serves it, with what the replica indexes.
   *
   * @param json the object in UTF-8, its resourceVersion included, without a line end
   * @param namespace "" for cluster-scoped objects
   * @param outdated whether the value in the store says something else than the object: it was
   *     converted, or something was filled in
   */
  record Decoded(
      byte[] json,
      String namespace,
      String name,
      String uid,
      Map<String, String> labels,
      boolean outdated) {

    /**
     * The object of a tree.
     *
     * @param revision becomes its resourceVersion
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
   * Reads a stored value.
   *
   * @param revision the revision of its key
   * @throws dev.muster.wire.DecodeException when the value is not an object that can be read
   */
  Decoded decode(byte[] value, long revision);

  /** An object and the JSON that it was written as, which has its resourceVersion. */
  record Written(JsonObject tree, byte[] json) {}

  /**
   * Writes the value to store for an object of the API.
   *
   * @param former what the object was made of, if that is known: parts that both share are copied
   */
  void encode(JsonObject object, @Nullable Written former, Bytes out);

  /** The value to store for an object of the API. */
  default byte[] encode(JsonObject object) {
    return encode(object, null);
  }

  /** The value to store for an object of the API that was made of another one. */
  default byte[] encode(JsonObject object, @Nullable Written former) {
    var out = BufferPool.take();
    encode(object, former, out);
    return BufferPool.whole(out);
  }
}
