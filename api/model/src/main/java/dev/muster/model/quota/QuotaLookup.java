package dev.muster.model.quota;

import dev.muster.model.json.JsonObject;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Looks up further objects that a measure needs. */
public interface QuotaLookup {
  /** All DeviceClasses by name. */
  Map<String, JsonObject> deviceClasses();

  @Nullable JsonObject pod(String namespace, String name);

  /** The ResourceClaims of a namespace. */
  List<JsonObject> deviceClaims(String namespace);
}
