package dev.muster.validation.flowcontrol;

import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.validation.FieldCursor;
import java.util.List;
import java.util.Map;

/** The mandatory FlowSchemas and PriorityLevelConfigurations, which clients cannot change. */
final class MandatoryFlows {
  private static final String EXEMPT = "exempt";
  private static final String CATCH_ALL = "catch-all";
  private static final JsonArray ALL = JsonArray.ofStrings(List.of("*"));

  private static final Map<String, JsonObject> SCHEMAS =
      Map.of(
          EXEMPT,
          JsonObject.of(
              "priorityLevelConfiguration", JsonObject.of("name", EXEMPT),
              "matchingPrecedence", 1,
              "rules", everythingOf("system:masters")),
          CATCH_ALL,
          JsonObject.of(
              "priorityLevelConfiguration", JsonObject.of("name", CATCH_ALL),
              "matchingPrecedence", 10000,
              "distinguisherMethod", JsonObject.of("type", "ByUser"),
              "rules", everythingOf("system:unauthenticated", "system:authenticated")));

  private static final JsonObject CATCH_ALL_LEVEL =
      JsonObject.of(
          "type",
          "Limited",
          "limited",
          JsonObject.of(
              "nominalConcurrencyShares",
              5,
              "limitResponse",
              JsonObject.of("type", "Reject"),
              "lendablePercent",
              0));

  private MandatoryFlows() {}

  private static JsonArray everythingOf(String... groups) {
    var subjects =
        List.of(groups).stream()
            .map(name -> JsonObject.of("kind", "Group", "group", JsonObject.of("name", name)))
            .toList();
    return JsonArray.of(
        JsonObject.of(
            "subjects",
            JsonArray.of(subjects),
            "resourceRules",
            JsonArray.of(
                JsonObject.of(
                    "verbs", ALL,
                    "apiGroups", ALL,
                    "resources", ALL,
                    "clusterScope", true,
                    "namespaces", ALL)),
            "nonResourceRules",
            JsonArray.of(JsonObject.of("verbs", ALL, "nonResourceURLs", ALL))));
  }

  static void schema(FieldCursor schema) {
    var name = schema.at("metadata", "name").text();
    var fixed = SCHEMAS.get(name);
    var spec = schema.at("spec");
    if (fixed != null && !fixed.equals(spec.object())) {
      spec.invalid("spec of '" + name + "' must equal the fixed value");
    }
  }

  /** Of the exempt priority level, only the shares can change. */
  static void level(FieldCursor level) {
    var spec = level.at("spec");
    switch (level.at("metadata", "name").text()) {
      case EXEMPT -> {
        if (!spec.object().without("exempt").equals(JsonObject.of("type", "Exempt"))) {
          spec.invalid(
              "spec of 'exempt' except the 'spec.exempt' field must equal the fixed value");
        }
      }
      case CATCH_ALL -> {
        if (!spec.object().equals(CATCH_ALL_LEVEL)) {
          spec.invalid("spec of 'catch-all' must equal the fixed value");
        }
      }
      default -> {}
    }
  }
}
