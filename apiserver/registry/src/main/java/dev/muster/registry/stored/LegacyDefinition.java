package dev.muster.registry.stored;

import static dev.muster.validation.Default.absent;
import static dev.muster.validation.Default.code;
import static dev.muster.validation.Default.each;
import static dev.muster.validation.Default.make;
import static dev.muster.validation.Default.value;
import static dev.muster.validation.Default.when;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.validation.Default;
import java.util.Map;

/**
 * Converts CustomResourceDefinitions of {@code apiextensions.k8s.io/v1beta1}, the version that
 * kube-apiserver 1.36 still stores. That version keeps settings common to all versions beside the
 * list of versions.
 */
final class LegacyDefinition {
  /** The common fields, and their names within a version. */
  private static final Map<String, String> COMMON =
      Map.of(
          "validation", "schema",
          "subresources", "subresources",
          "additionalPrinterColumns", "additionalPrinterColumns",
          "selectableFields", "selectableFields");

  private static final Default SPEC =
      make(
          "spec",
          value("scope", "Namespaced"),
          code(LegacyDefinition::versions),
          make(
              "conversion",
              value("strategy", "None"),
              when(
                  conversion ->
                      conversion.string("strategy").equals("Webhook")
                          && conversion.array("conversionReviewVersions").isEmpty(),
                  code(
                      conversion ->
                          conversion.with(
                              "conversionReviewVersions", JsonArray.of(Json.of("v1beta1")))))),
          absent("preserveUnknownFields", Json.of(true)),
          each("versions", each("additionalPrinterColumns", code(LegacyDefinition::column))),
          each("additionalPrinterColumns", code(LegacyDefinition::column)),
          code(LegacyDefinition::spread),
          Default.in("conversion", code(LegacyDefinition::webhook)));

  private LegacyDefinition() {}

  static JsonObject served(JsonObject definition) {
    return SPEC.apply(definition);
  }

  /** The oldest definitions have a single version and no list. */
  private static JsonObject versions(JsonObject spec) {
    var version = spec.string("version");
    var listed =
        spec.array("versions").isEmpty() && !version.isEmpty()
            ? spec.with(
                "versions",
                JsonArray.of(JsonObject.of("name", version, "served", true, "storage", true)))
            : spec;
    return listed.without("version");
  }

  private static JsonObject column(JsonObject column) {
    var path = column.get("JSONPath");
    return path == null ? column : column.without("JSONPath").with("jsonPath", path);
  }

  /** Copies the common fields to each version, replacing what is there. */
  private static JsonObject spread(JsonObject spec) {
    var spread = spec;
    for (var common : COMMON.entrySet()) {
      var shared = spec.get(common.getKey());
      if (shared == null) {
        continue;
      }
      spread =
          spread
              .without(common.getKey())
              .with(
                  "versions",
                  spread
                      .array("versions")
                      .map(
                          item ->
                              item instanceof JsonObject version
                                  ? version.with(common.getValue(), shared)
                                  : item));
    }
    return spread;
  }

  private static JsonObject webhook(JsonObject conversion) {
    var webhook = JsonObject.builder();
    webhook.putIf("clientConfig", conversion.get("webhookClientConfig"));
    webhook.putIf("conversionReviewVersions", conversion.get("conversionReviewVersions"));
    var rest = conversion.without("webhookClientConfig").without("conversionReviewVersions");
    return webhook.size() == 0 ? rest : rest.with("webhook", webhook.build());
  }
}
