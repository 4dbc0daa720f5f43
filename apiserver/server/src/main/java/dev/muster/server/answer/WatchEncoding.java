package dev.muster.server.answer;

import dev.muster.model.json.JsonObject;
import dev.muster.replica.object.EventKind;
import dev.muster.replica.object.StoredObject;
import dev.muster.replica.snapshot.WatchEvent;

/** Encodes the events of one watch, one frame each. Watches share frames wherever possible. */
public interface WatchEncoding {
  /**
   * Whether the object is precomputed in this form. Otherwise the event loop must not encode it.
   */
  boolean isPrecomputed(StoredObject object);

  byte[] frame(EventKind kind, WatchEvent event);

  /** An object that existed when the watch began. */
  byte[] initial(StoredObject object);

  /**
   * @param endOfInitialEvents whether this bookmark ends the initial events
   */
  byte[] bookmark(long revision, boolean endOfInitialEvents);

  /** The last frame of a watch that fails. */
  byte[] error(JsonObject status);
}
