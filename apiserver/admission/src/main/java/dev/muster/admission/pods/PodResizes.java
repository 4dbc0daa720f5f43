package dev.muster.admission.pods;

import dev.muster.model.Quantity;
import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.JsonObject;
import dev.muster.model.quota.PodUsage;
import dev.muster.model.quota.ResourceList;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.StatusDetails;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionDenial;
import dev.muster.registry.admission.AdmissionOperation;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.registry.admission.RelatedStatusUpdate;
import java.util.ArrayList;
import java.util.List;

/** Refuses to resize a pod on a node that cannot provide the requested resources. */
public final class PodResizes implements Admission {
  @Override
  public List<RelatedStatusUpdate> validate(AdmissionRequest request) {
    if (request.operation() == AdmissionOperation.UPDATE
        && request.isFor("", "pods")
        && request.subresource().equals("resize")
        && changesBoundPod(request)) {
      check(request);
    }
    return List.of();
  }

  /** Whether the update changes the spec of a scheduled pod, by its generation. */
  static boolean changesBoundPod(AdmissionRequest request) {
    var pod = request.mustObject();
    return !Pods.spec(pod).string("nodeName").isEmpty()
        && generation(pod) != generation(request.mustOldObject());
  }

  private static long generation(JsonObject pod) {
    return pod.object("metadata").integer("generation", 0);
  }

  static JsonObject node(AdmissionRequest request) {
    var name = Pods.spec(request.mustObject()).string("nodeName");
    var node = request.cluster().get("/minions", "", name);
    if (node == null) {
      throw AdmissionDenial.of(request, "node " + GoText.quote(name) + " not found");
    }
    return node;
  }

  private static void check(AdmissionRequest request) {
    var node = node(request);
    var labels = node.object("metadata", "labels");
    var system = labels.string("kubernetes.io/os");
    if (labels.has("kubernetes.io/os") && !system.equals("linux")) {
      throw refused(
          request,
          "pod resize is only supported on linux nodes, node "
              + GoText.quote(node.object("metadata").string("name"))
              + " is "
              + GoText.quote(system),
          "UnsupportedPlatform");
    }
    var requests = PodUsage.requests(Pods.spec(request.mustObject()));
    var allocatable = node.object("status", "allocatable");
    var lacking = new ArrayList<String>();
    var cpu = requests.get("cpu");
    var memory = requests.get("memory");
    if (cpu.compareTo(amount(allocatable, "cpu")) > 0) {
      lacking.add(
          "cpu, requested: "
              + cpu.milliValue()
              + ", allocatable: "
              + amount(allocatable, "cpu").milliValue());
    }
    if (memory.compareTo(amount(allocatable, "memory")) > 0) {
      lacking.add(
          "memory, requested: "
              + memory.value()
              + ", allocatable: "
              + amount(allocatable, "memory").value());
    }
    if (!lacking.isEmpty()) {
      throw refused(
          request,
          "node didn't have enough allocatable resources: " + String.join("; ", lacking),
          "NodeCapacity");
    }
  }

  private static Quantity amount(JsonObject list, String name) {
    return ResourceList.of(list).get(name);
  }

  private static ApiException refused(AdmissionRequest request, String why, String cause) {
    var refusal = AdmissionDenial.of(request, why);
    return new ApiException(
        refusal.reason(),
        refusal.text(),
        refusal.details().withCauses(List.of(new StatusDetails.Cause(cause, "", ""))));
  }
}
