package dev.muster.validation.batch;

import dev.muster.model.json.JsonObject;
import dev.muster.validation.pods.DisabledFields;
import java.util.List;

/** What of the spec in a job's template stays as it is even while the job has not started. */
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
