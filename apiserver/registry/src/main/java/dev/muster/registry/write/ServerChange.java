package dev.muster.registry.write;

import dev.muster.model.json.JsonObject;
import org.jspecify.annotations.Nullable;

/** A change that a server makes by itself. */
@FunctionalInterface
public interface ServerChange {
  /**
   * The object as it should be, or null to leave everything as it is.
   *
   * @param present null when there is no object
   */
  @Nullable JsonObject of(@Nullable JsonObject present);
}
