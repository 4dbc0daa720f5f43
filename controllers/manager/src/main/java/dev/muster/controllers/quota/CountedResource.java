package dev.muster.controllers.quota;

import dev.muster.controllers.client.ApiResource;
import dev.muster.model.json.JsonObject;
import dev.muster.model.quota.CountMeasure;
import dev.muster.model.quota.Measure;
import java.util.Objects;
import java.util.function.Consumer;

/** A resource whose objects take of quotas, and what measures them. */
record CountedResource(ApiResource resource, Measure measure) implements QuotaCount.Source {
  @Override
  public String plural() {
    return resource.plural();
  }

  /** Whether objects matter by their number only, so that their metadata is enough. */
  boolean isCountOnly() {
    return measure instanceof CountMeasure;
  }

  @Override
  public void list(String namespace, Consumer<JsonObject> each) {
    if (isCountOnly()) {
      resource.listMetadata(namespace, each);
    } else {
      resource.list(namespace, each);
    }
  }

  /** Differs when an object takes something else than before, or of other quotas. */
  int fingerprint(JsonObject object) {
    return isCountOnly() ? 0 : fingerprint(measure, object);
  }

  static int fingerprint(Measure measure, JsonObject object) {
    var spec = object.object("spec");
    var status = object.object("status");
    return Objects.hash(
        measure.usage(object).toJson(),
        spec.get("activeDeadlineSeconds"),
        spec.get("volumeAttributesClassName"),
        status.get("currentVolumeAttributesClassName"),
        status.get("modifyVolumeStatus"));
  }
}
