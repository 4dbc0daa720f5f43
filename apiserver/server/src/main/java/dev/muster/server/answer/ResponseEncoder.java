package dev.muster.server.answer;

import dev.muster.http.SharedBytes;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.read.ListPage;
import dev.muster.replica.object.StoredObject;
import java.util.Iterator;
import java.util.List;

/**
 * How one client sees the objects of one resource type: in which version, as what, in which
 * encoding. Immutable and shared by all requests that ask for the same.
 */
public interface ResponseEncoder {
  String contentType();

  /** The content type of a watch. */
  String streamType();

  /**
   * Whether a stored object is at hand in this form, or so small that it is soon made: else that is
   * nothing for an event loop.
   */
  boolean isPrecomputed(StoredObject object);

  /** Whether all objects are at hand, as the replica's own JSON. */
  default boolean sharesJson() {
    return false;
  }

  /** Whether the objects of a list are at hand in this form. */
  boolean isPrecomputed(ListPage page);

  /** A stored object, in pieces that are shared. */
  List<byte[]> object(StoredObject object);

  /** A stored object in parts, made while they are taken. */
  Iterator<SharedBytes> parts(StoredObject object);

  /** An object in its stored version that is not in the store. */
  byte[] object(JsonObject object);

  /** An object of another kind in the form in which it is sent, such as a review. */
  byte[] made(JsonObject object);

  /** A list in parts, made while they are taken. */
  Iterator<SharedBytes> list(ListPage page);

  /** A list of objects in their stored version that are not in the store. */
  byte[] list(ListPage page, List<JsonObject> objects);

  /** The encoding of a new watch, which may remember what it has sent. */
  WatchEncoding watch();
}
