package dev.muster.validation.flowcontrol;

import dev.muster.model.json.JsonObject;
import dev.muster.validation.FieldCursor;
import java.util.HashSet;

/** Rules common to FlowSchemas and PriorityLevelConfigurations. */
final class FlowRules {
  private FlowRules() {}

  /** Requires conditions with distinct types. */
  static void conditions(FieldCursor status) {
    var seen = new HashSet<String>();
    for (var condition : status.at("conditions").items()) {
      var type = condition.at("type");
      if (!seen.add(type.text())) {
        type.duplicate();
      }
      if (type.isEmpty()) {
        type.required("");
      }
    }
  }

  /** A status update restores all metadata except managedFields. */
  static JsonObject withOldMetadata(JsonObject object, JsonObject old) {
    var owners = object.object("metadata").get("managedFields");
    var metadata = old.object("metadata");
    return object.with(
        "metadata",
        owners == null
            ? metadata.without("managedFields")
            : metadata.with("managedFields", owners));
  }
}
