package dev.muster.registry.conversion;

import dev.muster.model.JsonObject;

/** Turns objects of one version into the stored one and back; loses nothing on the way there. */
interface Conversion {
  JsonObject toStored(JsonObject object);

  JsonObject fromStored(JsonObject stored);

  /** Puts back what is empty and must not be taken for absent, after empty fields were left out. */
  default JsonObject withEmpty(JsonObject stored) {
    return stored;
  }
}
