package dev.muster.registry.custom;

import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.replica.object.StoredObject;
import java.util.List;

/**
 * Asks the conversion webhook of a definition. Blocks; called on virtual threads only. Safe for any
 * number of them.
 */
@FunctionalInterface
public interface WebhookConversion {

  /** Of a server that calls no webhooks: what would need one cannot be read or written. */
  WebhookConversion UNAVAILABLE =
      (definition, objects, apiVersion) -> {
        throw ApiException.internal(
            "conversion webhook for %s, Kind=%s failed: this server calls no webhooks"
                .formatted(
                    objects.getFirst().string("apiVersion"), objects.getFirst().string("kind")));
      };

  /**
   * The objects in that version, in the same order.
   *
   * @param definition says in {@code spec.conversion.webhook} whom to ask
   * @param objects of one kind, all in other versions than the wanted one
   * @param apiVersion the wanted version, such as {@code example.com/v2}
   * @throws dev.muster.model.status.ApiException when the webhook cannot be asked, or answers
   *     something that cannot be used
   */
  List<JsonObject> convert(StoredObject definition, List<JsonObject> objects, String apiVersion);
}
