package dev.muster.validation.apis;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Converts a definition to the internal form of kube-apiserver, whose fields its messages name:
 * settings common to all versions stand beside the versions, and the fields of a conversion webhook
 * directly in the conversion.
 */
final class DefinitionForm {
  private static final Map<String, String> SHARED =
      Map.of(
          "schema", "validation",
          "subresources", "subresources",
          "additionalPrinterColumns", "additionalPrinterColumns",
          "selectableFields", "selectableFields");

  private DefinitionForm() {}

  static JsonObject of(JsonObject definition) {
    var spec = definition.object("spec");
    spec = conversion(columns(spec));
    var versions = spec.array("versions");
    if (!versions.isEmpty()) {
      spec = spec.with("version", versions.objects().getFirst().string("name"));
      for (var field : SHARED.entrySet()) {
        spec = shared(spec, field.getKey(), field.getValue());
      }
    }
    return definition.with("spec", spec);
  }

  private static JsonObject shared(JsonObject spec, String field, String common) {
    var versions = spec.array("versions").objects();
    var first = content(versions.getFirst().get(field));
    for (var version : versions) {
      var value = content(version.get(field));
      if (first == null ? value != null : !first.equals(value)) {
        return spec;
      }
    }
    var bare = versions.stream().map(version -> version.without(field)).toList();
    var moved = spec.with("versions", JsonArray.of(bare));
    return first == null ? moved : moved.with(common, first);
  }

  private static @Nullable Json content(@Nullable Json value) {
    boolean nothing =
        value == null
            || value == JsonNull.NULL
            || (value instanceof JsonArray array && array.isEmpty());
    return nothing ? null : value;
  }

  private static JsonObject columns(JsonObject spec) {
    if (!(spec.get("versions") instanceof JsonArray versions)) {
      return spec;
    }
    var renamed =
        versions.map(
            item ->
                item instanceof JsonObject version
                        && version.get("additionalPrinterColumns") instanceof JsonArray columns
                    ? version.with("additionalPrinterColumns", columns.map(DefinitionForm::column))
                    : item);
    return renamed == versions ? spec : spec.with("versions", renamed);
  }

  private static Json column(Json item) {
    return item instanceof JsonObject column
        ? column.without("jsonPath").with("JSONPath", column.string("jsonPath"))
        : item;
  }

  private static JsonObject conversion(JsonObject spec) {
    if (!(spec.get("conversion") instanceof JsonObject conversion)
        || !(conversion.get("webhook") instanceof JsonObject webhook)) {
      return spec;
    }
    var flat = conversion.without("webhook");
    if (webhook.get("clientConfig") instanceof JsonObject client) {
      flat = flat.with("webhookClientConfig", client);
    }
    if (webhook.get("conversionReviewVersions") instanceof JsonArray versions) {
      flat = flat.with("conversionReviewVersions", versions);
    }
    return spec.with("conversion", flat);
  }

  /** The schemas of a definition in that form. */
  static List<JsonObject> schemas(JsonObject definition) {
    return definition.object("spec").array("versions").objects().stream()
        .map(version -> version.object("schema").object("openAPIV3Schema"))
        .filter(schema -> !schema.isEmpty())
        .toList();
  }
}
