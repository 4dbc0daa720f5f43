package dev.muster.server.answer;

import dev.muster.model.json.JsonObject;
import dev.muster.replica.object.EventKind;
import dev.muster.replica.object.StoredObject;
import dev.muster.replica.snapshot.WatchEvent;

/** How the events of one watch are written; one frame each, shared wherever it can be. */
public interface WatchEncoding {
  /**
   * Whether an object is at hand in this form; else making a frame is nothing for an event loop.
   */
  boolean isPrecomputed(StoredObject object);

  byte[] frame(EventKind kind, WatchEvent event);

  /** An object that was there when the watch began. */
  byte[] initial(StoredObject object);

  /**
   * @param endOfInitialEvents whether this is the one that ends the initial events
   */
  byte[] bookmark(long revision, boolean endOfInitialEvents);

  /** The last frame of a watch that cannot go on. */
  byte[] error(JsonObject status);
}
