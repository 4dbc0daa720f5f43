package dev.muster.access.admission.pods;

import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.registry.admission.Companion;
import dev.muster.registry.admission.Refusal;
import java.util.List;

/** The pods of a namespace run on the nodes that its annotation chooses. */
public final class PodNodeSelector implements Admission {
  private static final String ANNOTATION = "scheduler.alpha.kubernetes.io/node-selector";

  @Override
  public JsonObject admit(AdmissionRequest request) {
    if (!Pods.isCreated(request)) {
      return Admission.super.admit(request);
    }
    var pod = request.mustObject();
    var chosen = checked(request);
    if (chosen.isEmpty()) {
      return pod;
    }
    var merged = chosen.toBuilder();
    var own = Pods.spec(pod).object("nodeSelector");
    for (int i = 0; i < own.size(); i++) {
      merged.put(own.key(i), own.value(i));
    }
    return Pods.withSpec(pod, Pods.spec(pod).with("nodeSelector", merged.build()));
  }

  @Override
  public List<Companion> validate(AdmissionRequest request) {
    if (Pods.isCreated(request)) {
      checked(request);
    }
    return List.of();
  }

  /** The selector of the namespace, which the pod's does not contradict. */
  private static JsonObject checked(AdmissionRequest request) {
    var namespace = request.cluster().get("/namespaces", "", request.namespace());
    if (namespace == null) {
      throw Refusal.of(request, "namespace " + request.namespace() + " does not exist");
    }
    var chosen = read(request, namespace.object("metadata", "annotations").string(ANNOTATION));
    var own = Pods.spec(request.mustObject()).object("nodeSelector");
    for (int i = 0; i < chosen.size(); i++) {
      var given = own.get(chosen.key(i));
      if (given != null && !given.equals(chosen.value(i))) {
        throw ApiException.forbidden(
            request.resource(),
            request.mustObject().object("metadata").string("name"),
            "pod node label selector conflicts with its namespace node label selector");
      }
    }
    return chosen;
  }

  private static JsonObject read(AdmissionRequest request, String selector) {
    var chosen = JsonObject.builder();
    if (!selector.isEmpty()) {
      for (var label : selector.split(",", -1)) {
        var parts = label.split("=", -1);
        if (parts.length != 2) {
          throw Refusal.of(request, "invalid selector: [" + String.join(" ", parts) + "]");
        }
        chosen.put(parts[0].strip(), parts[1].strip());
      }
    }
    return chosen.build();
  }
}
