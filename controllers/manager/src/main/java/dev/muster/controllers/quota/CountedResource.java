package dev.muster.controllers.quota;

import dev.muster.controllers.client.ApiResource;
import dev.muster.model.json.JsonObject;
import dev.muster.model.quota.CountMeasure;
import dev.muster.model.quota.Measure;
import java.util.Objects;
import java.util.function.Consumer;

/** A resource that quotas count, with its measure. */
record CountedResource(ApiResource resource, Measure measure) implements QuotaCount.Source {
  @Override
  public String plural() {
    return resource.plural();
  }

  /** Whether only the number of objects is measured, so that their metadata suffices. */
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

  /** A hash that changes when the object's usage or the matching quotas may change. */
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
