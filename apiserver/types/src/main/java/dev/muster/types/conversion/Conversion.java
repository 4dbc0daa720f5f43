package dev.muster.types.conversion;

import dev.muster.model.json.JsonObject;

/**
 * Converts objects between one version and the stored version; the conversion to the stored version
 * loses nothing. For the stored version itself, it adjusts objects that clients send.
 */
public interface Conversion {
  /** Changes nothing. */
  Conversion NONE = new Conversion() {};

  /**
   * @throws dev.muster.wire.DecodeException when the stored version cannot represent the object
   */
  default JsonObject toStored(JsonObject object) {
    return object;
  }

  /** Not called for the stored version itself. */
  default JsonObject fromStored(JsonObject stored) {
    return stored;
  }

  /** Restores empty fields that differ from absent ones, after empty fields were left out. */
  default JsonObject withEmpty(JsonObject stored) {
    return stored;
  }

  /** The metadata of a stored object as it appears without the rest of the object. */
  default JsonObject shownMetadata(JsonObject metadata) {
    return metadata;
  }
}
