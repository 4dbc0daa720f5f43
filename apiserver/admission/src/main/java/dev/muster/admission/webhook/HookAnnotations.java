package dev.muster.admission.webhook;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.wire.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.util.TreeMap;

/**
 * Adds the audit annotations about one call of one webhook.
 *
 * @param place the round and the webhook's index in it, such as {@code round_0_index_2}
 */
record HookAnnotations(Hook hook, AdmissionRequest request, String place) {
  private static final String MUTATION = "mutation.webhook.admission.k8s.io/";
  private static final String PATCH = "patch.webhook.admission.k8s.io/";
  private static final String FAILED_OPEN = "failed-open.";
  private static final String VALIDATING = "validating.webhook.admission.k8s.io/";

  static HookAnnotations of(Hook hook, AdmissionRequest request, boolean second, int index) {
    return new HookAnnotations(hook, request, "round_" + (second ? 1 : 0) + "_index_" + index);
  }

  void mutated(boolean changed) {
    request
        .annotations()
        .add(
            MUTATION + place,
            text(
                JsonObject.of(
                    "configuration",
                    hook.configuration(),
                    "webhook",
                    hook.name(),
                    "mutated",
                    changed)));
  }

  /**
   * Patches contain parts of the object, so they are recorded only at a level that logs objects.
   */
  void patched(JsonArray operations) {
    request
        .annotations()
        .addDetail(
            PATCH + place,
            () ->
                text(
                    JsonObject.of(
                        "configuration",
                        hook.configuration(),
                        "webhook",
                        hook.name(),
                        "patch",
                        operations.map(HookAnnotations::sorted),
                        "patchType",
                        "JSONPatch")));
  }

  private static String text(JsonObject value) {
    return new String(JsonWriter.bytes(value), StandardCharsets.UTF_8);
  }

  private static Json sorted(Json operation) {
    if (!(operation instanceof JsonObject object)) {
      return operation;
    }
    var fields = new TreeMap<String, Json>();
    for (int i = 0; i < object.size(); i++) {
      fields.put(object.key(i), object.value(i));
    }
    var sorted = JsonObject.builder();
    fields.forEach(sorted::put);
    return sorted.build();
  }

  /** Records that the call failed and the request continues. */
  void failedOpen(boolean mutating) {
    request
        .annotations()
        .add(FAILED_OPEN + (mutating ? MUTATION : VALIDATING) + place, hook.name());
  }
}
