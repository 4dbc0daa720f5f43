package dev.muster.registry.rules.flowcontrol;

import dev.muster.model.GroupKind;
import dev.muster.model.JsonObject;
import dev.muster.registry.Strategy;
import dev.muster.registry.rules.Place;
import java.util.HashSet;
import java.util.Map;

/** The strategies of flow schemas and priority levels. */
public final class FlowRules {
  private static final String GROUP = "flowcontrol.apiserver.k8s.io";

  private FlowRules() {}

  public static Map<GroupKind, Strategy> strategies() {
    return Map.of(
        new GroupKind(GROUP, "FlowSchema"), FlowSchemaRules.STRATEGY,
        new GroupKind(GROUP, "PriorityLevelConfiguration"), PriorityLevelRules.STRATEGY);
  }

  /** Conditions have a type, each another one. */
  static void conditions(Place status) {
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
