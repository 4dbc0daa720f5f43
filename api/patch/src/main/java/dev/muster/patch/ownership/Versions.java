package dev.muster.patch.ownership;

import dev.muster.model.json.JsonObject;
import dev.muster.schema.StructShape;
import org.jspecify.annotations.Nullable;

/** Converts objects of one kind between its versions. */
@FunctionalInterface
public interface Versions {
  /** For a kind with one version. */
  Versions ONE = (object, apiVersion) -> null;

  /** An object with the shape of its version. */
  record Converted(StructShape shape, JsonObject object) {}

  /**
   * The object in that version, or null when the kind has no such version; fields owned in it then
   * lose their owner.
   */
  @Nullable Converted convert(JsonObject object, String apiVersion);
}
