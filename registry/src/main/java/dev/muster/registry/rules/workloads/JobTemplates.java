package dev.muster.registry.rules.workloads;

import dev.muster.model.JsonObject;
import java.util.List;

/** What of a job's template stays as it is even while the job has not started. */
final class JobTemplates {
  private JobTemplates() {}

  static JsonObject fixedPart(JsonObject template) {
    var spec = template.object("spec");
    for (var field : List.of("nodeSelector", "tolerations", "schedulingGates")) {
      spec = spec.without(field);
    }
    var affinity = spec.object("affinity").without("nodeAffinity");
    spec = affinity.isEmpty() ? spec.without("affinity") : spec.with("affinity", affinity);
    for (var list : List.of("containers", "initContainers")) {
      spec = DisabledFields.eachIn(spec, list, container -> container.without("resources"));
    }
    var metadata = template.object("metadata").without("labels").without("annotations");
    return template.with("spec", spec).with("metadata", metadata);
  }
}
