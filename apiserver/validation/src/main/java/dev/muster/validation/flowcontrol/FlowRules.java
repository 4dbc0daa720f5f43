package dev.muster.validation.flowcontrol;

import dev.muster.model.json.JsonObject;
import dev.muster.validation.FieldCursor;
import java.util.HashSet;

/** What flow schemas and priority levels have in common. */
final class FlowRules {
  private FlowRules() {}

  /** Conditions have a type, each another one. */
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

  /** A status update changes nothing of the metadata but who owns what. */
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
