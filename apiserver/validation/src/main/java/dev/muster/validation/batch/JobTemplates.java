package dev.muster.validation.batch;

import dev.muster.model.json.JsonObject;
import dev.muster.validation.pods.DisabledFields;
import java.util.List;

/** Finds the fields of a Job's template that cannot change even before the Job starts. */
final class JobTemplates {
  private JobTemplates() {}

  static JsonObject fixedPart(JsonObject spec) {
    var fixed = spec;
    for (var field : List.of("nodeSelector", "tolerations", "schedulingGates")) {
      fixed = fixed.without(field);
    }
    var affinity = fixed.object("affinity").without("nodeAffinity");
    fixed = affinity.isEmpty() ? fixed.without("affinity") : fixed.with("affinity", affinity);
    for (var list : List.of("containers", "initContainers")) {
      fixed = DisabledFields.eachIn(fixed, list, container -> container.without("resources"));
    }
    return fixed;
  }
}
