package dev.muster.admission.podsecurity;

import dev.muster.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** A pod or pod template, as the checks see it. */
record PodView(JsonObject metadata, JsonObject spec) {

  JsonObject annotations() {
    return metadata.object("annotations");
  }

  JsonObject context() {
    return spec.object("securityContext");
  }

  List<JsonObject> containers() {
    var all = new ArrayList<JsonObject>();
    for (var field : List.of("initContainers", "containers", "ephemeralContainers")) {
      all.addAll(spec.array(field).objects());
    }
    return all;
  }

  /** The names of the containers whose security context matches. */
  List<String> containersWhose(Predicate<JsonObject> context) {
    return containers().stream()
        .filter(container -> context.test(container.object("securityContext")))
        .map(container -> container.string("name"))
        .toList();
  }

  boolean isWindows() {
    return spec.object("os").string("name").equals("windows");
  }

  /** Whether the pod has its own user namespace, so that its root is unprivileged on the host. */
  boolean hasOwnUsers() {
    return spec.has("hostUsers") && !spec.isTrue("hostUsers");
  }
}
