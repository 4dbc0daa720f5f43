package dev.muster.change;

import dev.muster.model.GroupVersion;
import dev.muster.model.JsonObject;
import dev.muster.schema.StructShape;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

public final class FieldOwnership {
  private FieldOwnership() {}

  public record Applied(JsonObject object) {}

  public static JsonObject afterWrite(
      StructShape shape,
      GroupVersion version,
      @Nullable JsonObject live,
      JsonObject object,
      String manager,
      String subresource,
      Instant now) {
    return object;
  }

  public static Applied apply(
      StructShape shape,
      GroupVersion version,
      @Nullable JsonObject live,
      JsonObject applied,
      String manager,
      boolean force,
      String subresource,
      Instant now) {
    return new Applied(applied);
  }
}
