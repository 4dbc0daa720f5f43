package dev.muster.registry.rules.workloads;

import dev.muster.model.JsonObject;
import dev.muster.registry.rules.ResourceRules;

/** What everything has in common that makes pods from {@code spec.template}. */
final class Templates {
  private Templates() {}

  /** Rules of a kind with a status, a generation and a template. */
  static ResourceRules.Builder workload() {
    return ResourceRules.namespaced()
        .status()
        .generation()
        .prepareCreate(Templates::created)
        .prepareUpdate(Templates::updated);
  }

  static JsonObject created(JsonObject object) {
    return DisabledFields.droppedAt(object, JsonObject.EMPTY, "spec", "template", "spec");
  }

  static JsonObject updated(JsonObject object, JsonObject old) {
    return DisabledFields.droppedAt(object, old, "spec", "template", "spec");
  }
}
