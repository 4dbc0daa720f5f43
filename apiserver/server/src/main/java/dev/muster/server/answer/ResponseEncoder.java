package dev.muster.server.answer;

import dev.muster.http.SharedBytes;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.read.ListPage;
import dev.muster.replica.object.StoredObject;
import java.util.Iterator;
import java.util.List;

/**
 * Encodes the objects of one resource for a client: in its version, its media type, and as objects,
 * tables or metadata. Immutable; all requests with the same choice share one.
 */
public interface ResponseEncoder {
  String contentType();

  /** The content type of a watch. */
  String streamType();

  /**
   * Whether the object is cached in this form or small. Otherwise the event loop must not encode
   * it.
   */
  boolean isPrecomputed(StoredObject object);

  /** Whether it sends the replica's JSON unchanged, so that all objects are precomputed. */
  default boolean sharesJson() {
    return false;
  }

  /** Whether all objects of a list are cached in this form. */
  boolean isPrecomputed(ListPage page);

  /** A stored object, in shared pieces. */
  List<byte[]> object(StoredObject object);

  /** A stored object in parts, which are encoded while they are taken. */
  Iterator<SharedBytes> parts(StoredObject object);

  /** An object in its stored version that is not in the store. */
  byte[] object(JsonObject object);

  /** An object of another kind, such as a review, in the version in which it is sent. */
  byte[] made(JsonObject object);

  /** A list in parts, which are encoded while they are taken. */
  Iterator<SharedBytes> list(ListPage page);

  /** A list of objects in their stored version that are not in the store. */
  byte[] list(ListPage page, List<JsonObject> objects);

  /** The encoding of a new watch. It may depend on the events that the watch has already sent. */
  WatchEncoding watch();
}
