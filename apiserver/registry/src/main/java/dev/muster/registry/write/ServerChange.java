package dev.muster.registry.write;

import dev.muster.model.json.JsonObject;
import org.jspecify.annotations.Nullable;

/** A change that the server makes by itself. */
@FunctionalInterface
public interface ServerChange {
  /**
   * The new object, or null to change nothing.
   *
   * @param present null when there is no object
   */
  @Nullable JsonObject of(@Nullable JsonObject present);
}
