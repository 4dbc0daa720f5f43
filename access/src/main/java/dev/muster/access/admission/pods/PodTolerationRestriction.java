package dev.muster.access.admission.pods;

import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionOperation;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.registry.admission.Companion;
import dev.muster.registry.admission.Refusal;
import dev.muster.wire.DecodeException;
import dev.muster.wire.JsonReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the pods of a namespace tolerate, and may tolerate, as its annotations say. */
public final class PodTolerationRestriction implements Admission {
  private static final String DEFAULTS = "scheduler.alpha.kubernetes.io/defaultTolerations";
  private static final String ALLOWED = "scheduler.alpha.kubernetes.io/tolerationsWhitelist";
  private static final JsonObject UNDER_PRESSURE =
      JsonObject.of(
          "key",
          "node.kubernetes.io/memory-pressure",
          "operator",
          "Exists",
          "effect",
          "NoSchedule");

  @Override
  public JsonObject admit(AdmissionRequest request) {
    if (!applies(request)) {
      return Admission.super.admit(request);
    }
    var pod = request.mustObject();
    var more = new ArrayList<JsonObject>();
    if (request.operation() == AdmissionOperation.CREATE) {
      var given = tolerations(request, DEFAULTS);
      more.addAll(given == null ? List.of() : given);
    }
    if (asksForResources(pod)) {
      more.add(UNDER_PRESSURE);
    }
    if (!more.isEmpty()) {
      var own = Pods.spec(pod).array("tolerations").objects();
      pod =
          Pods.withSpec(
              pod, Pods.spec(pod).with("tolerations", JsonArray.of(Tolerations.merge(own, more))));
    }
    check(request, pod);
    return pod;
  }

  @Override
  public List<Companion> validate(AdmissionRequest request) {
    if (applies(request)) {
      check(request, request.mustObject());
    }
    return List.of();
  }

  private static boolean applies(AdmissionRequest request) {
    return request.createsOrUpdates() && Pods.isPod(request);
  }

  private static boolean asksForResources(JsonObject pod) {
    var said = pod.object("status").string("qosClass");
    return said.isEmpty()
        ? Pods.containers(Pods.spec(pod), "containers", "initContainers").stream()
            .anyMatch(
                container ->
                    !container.object("resources", "requests").isEmpty()
                        || !container.object("resources", "limits").isEmpty())
        : !said.equals("BestEffort");
  }

  private static void check(AdmissionRequest request, JsonObject pod) {
    var own = Pods.spec(pod).array("tolerations").objects();
    var allowed = own.isEmpty() ? null : tolerations(request, ALLOWED);
    if (allowed == null || allowed.isEmpty()) {
      return;
    }
    for (var toleration : own) {
      if (allowed.stream().noneMatch(wide -> Tolerations.covers(wide, toleration))) {
        throw Refusal.of(
            request,
            "pod tolerations (possibly merged with namespace default tolerations) conflict with"
                + " its namespace whitelist");
      }
    }
  }

  /** Null when the namespace says nothing. */
  private static @Nullable List<JsonObject> tolerations(AdmissionRequest request, String key) {
    var namespace = request.cluster().get("/namespaces", "", request.namespace());
    if (namespace == null || !namespace.object("metadata", "annotations").has(key)) {
      return null;
    }
    var text = namespace.object("metadata", "annotations").string(key);
    if (text.isEmpty()) {
      return List.of();
    }
    try {
      return JsonReader.read(text.getBytes(StandardCharsets.UTF_8)) instanceof JsonArray list
          ? list.objects()
          : List.of();
    } catch (DecodeException e) {
      throw Refusal.of(request, key + ": " + e.getMessage());
    }
  }
}
