package dev.muster.types.conversion;

import dev.muster.model.json.JsonObject;

/**
 * Turns objects of one version into the stored one and back; loses nothing on the way there. Of the
 * stored version itself it is what objects go through when they come from outside.
 */
public interface Conversion {
  /** Leaves everything as it is. */
  Conversion NONE = new Conversion() {};

  /**
   * @throws dev.muster.wire.DecodeException when the stored version cannot say what the object says
   */
  default JsonObject toStored(JsonObject object) {
    return object;
  }

  /** Not asked of the stored version itself. */
  default JsonObject fromStored(JsonObject stored) {
    return stored;
  }

  /** Puts back what is empty and must not be taken for absent, after empty fields were left out. */
  default JsonObject withEmpty(JsonObject stored) {
    return stored;
  }

  /** The metadata of a stored object as it is shown without the object. */
  default JsonObject shownMetadata(JsonObject metadata) {
    return metadata;
  }
}
