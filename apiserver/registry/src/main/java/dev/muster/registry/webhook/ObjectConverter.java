package dev.muster.registry.webhook;

import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import java.util.List;

/** Converts objects of a custom resource between its versions. May block. */
@FunctionalInterface
public interface ObjectConverter {
  /** Versions that differ in nothing but their names. */
  ObjectConverter BY_NAME =
      (objects, desired) ->
          objects.stream().map(object -> object.with("apiVersion", desired)).toList();

  /**
   * The objects in the version asked for, in the same order.
   *
   * @param objects in any versions of one resource
   * @throws ApiException 500 when one of them cannot be converted; then none is
   */
  List<JsonObject> convert(List<JsonObject> objects, String desiredApiVersion);
}
