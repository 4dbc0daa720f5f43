package dev.muster.validation;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;

/** Maintains {@code metadata.generation}, which counts the changes of an object's desired state. */
public final class Generation {
  private Generation() {}

  /** The object with the old generation, plus one if more than metadata and status differ. */
  public static JsonObject counted(JsonObject object, JsonObject old) {
    return with(object, old, !wanted(object).equals(wanted(old)));
  }

  /** The object with the old generation, plus one if {@code changed}. */
  public static JsonObject with(JsonObject object, JsonObject old, boolean changed) {
    long before = old.object("metadata").integer("generation", 0);
    long now = changed ? before + 1 : before;
    return now == 0
        ? object.withoutAt("metadata", "generation")
        : object.withAt(Json.of(now), "metadata", "generation");
  }

  private static JsonObject wanted(JsonObject object) {
    return object.without("metadata").without("status");
  }
}
