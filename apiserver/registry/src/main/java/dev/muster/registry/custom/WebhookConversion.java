package dev.muster.registry.custom;

import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.replica.object.StoredObject;
import java.util.List;

/**
 * Calls the conversion webhook of a definition. Its methods block and run only on virtual threads.
 * Thread-safe.
 */
@FunctionalInterface
public interface WebhookConversion {

  /** For servers that call no webhooks: objects that need one can be neither read nor written. */
  WebhookConversion UNAVAILABLE =
      (definition, objects, apiVersion) -> {
        throw ApiException.internal(
            "conversion webhook for %s, Kind=%s failed: this server calls no webhooks"
                .formatted(
                    objects.getFirst().string("apiVersion"), objects.getFirst().string("kind")));
      };

  /**
   * Converts objects to a version and returns them in the same order.
   *
   * @param definition contains the webhook in {@code spec.conversion.webhook}
   * @param objects objects of one kind, none of them in the desired version
   * @param apiVersion the desired version, such as {@code example.com/v2}
   * @throws dev.muster.model.status.ApiException when the webhook cannot be called or returns an
   *     invalid response
   */
  List<JsonObject> convert(StoredObject definition, List<JsonObject> objects, String apiVersion);
}
