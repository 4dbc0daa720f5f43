package dev.muster.registry.webhook;

import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import java.util.List;

/** Converts objects of a custom resource between its versions. May block. */
@FunctionalInterface
public interface ObjectConverter {
  /** For versions that differ only in their names. */
  ObjectConverter BY_NAME =
      (objects, desired) ->
          objects.stream().map(object -> object.with("apiVersion", desired)).toList();

  /**
   * The objects in the desired version, in the same order.
   *
   * @param objects in any versions of one resource
   * @throws ApiException 500 when any of them cannot be converted
   */
  List<JsonObject> convert(List<JsonObject> objects, String desiredApiVersion);
}
