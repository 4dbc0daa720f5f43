package dev.muster.admission.nodes;

import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.admission.AdmissionDenial;
import dev.muster.registry.admission.AdmissionOperation;
import dev.muster.registry.admission.AdmissionRequest;
import java.util.Set;
import java.util.TreeSet;

/** Limits the labels that a kubelet may set on its node, so that it cannot attract pods. */
final class NodeLabels {
  private static final Set<String> OWN =
      Set.of(
          "kubernetes.io/hostname",
          "topology.kubernetes.io/zone",
          "topology.kubernetes.io/region",
          "failure-domain.beta.kubernetes.io/zone",
          "failure-domain.beta.kubernetes.io/region",
          "beta.kubernetes.io/instance-type",
          "node.kubernetes.io/instance-type",
          "kubernetes.io/os",
          "kubernetes.io/arch",
          "beta.kubernetes.io/os",
          "beta.kubernetes.io/arch");

  private NodeLabels() {}

  static void check(AdmissionRequest request, String node) {
    var quoted = GoText.quote(node);
    // The name in the path: as in kube-apiserver, a kubelet may not delete a collection, even if it
    // only contains its own node.
    var requested = request.requestedName();
    if (!requested.equals(node)) {
      throw AdmissionDenial.of(
          request, "node " + quoted + " is not allowed to modify node " + GoText.quote(requested));
    }
    if (request.operation() == AdmissionOperation.CREATE) {
      var object = request.mustObject();
      if (object.object("spec").has("configSource")) {
        throw AdmissionDenial.of(
            request,
            "node " + quoted + " is not allowed to create pods with a non-nil configSource");
      }
      var forbidden = forbidden(object, JsonObject.EMPTY);
      if (!forbidden.isEmpty()) {
        throw AdmissionDenial.of(
            request,
            "node "
                + quoted
                + " is not allowed to set the following labels: "
                + String.join(", ", forbidden));
      }
    }
    if (request.operation() == AdmissionOperation.UPDATE) {
      checkUpdate(request, quoted, request.mustObject(), request.mustOldObject());
    }
  }

  private static void checkUpdate(
      AdmissionRequest request, String quoted, JsonObject node, JsonObject old) {
    var source = node.object("spec").get("configSource");
    if (source != null && !source.equals(old.object("spec").get("configSource"))) {
      throw AdmissionDenial.of(
          request,
          "node "
              + quoted
              + " is not allowed to update configSource to a new non-nil configSource");
    }
    if (!node.object("spec").array("taints").equals(old.object("spec").array("taints"))) {
      throw AdmissionDenial.of(request, "node " + quoted + " is not allowed to modify taints");
    }
    var owners = node.object("metadata").array("ownerReferences");
    if (!owners.equals(old.object("metadata").array("ownerReferences"))) {
      throw AdmissionDenial.of(
          request, "node " + quoted + " is not allowed to modify ownerReferences");
    }
    var forbidden = forbidden(node, old);
    if (!forbidden.isEmpty()) {
      throw AdmissionDenial.of(
          request, "is not allowed to modify labels: " + String.join(", ", forbidden));
    }
  }

  /** The changed labels that kubelets must not change. */
  private static Set<String> forbidden(JsonObject node, JsonObject old) {
    var now = node.object("metadata", "labels");
    var before = old.object("metadata", "labels");
    var changed = new TreeSet<String>();
    changed.addAll(now.keys());
    changed.addAll(before.keys());
    changed.removeIf(
        label ->
            now.string(label).equals(before.string(label)) && now.has(label) == before.has(label));
    changed.removeIf(label -> !isForbidden(label));
    return changed;
  }

  private static boolean isForbidden(String label) {
    int slash = label.indexOf('/');
    var domain = slash < 0 ? "" : label.substring(0, slash);
    if (under(domain, "node-restriction.kubernetes.io")) {
      return true;
    }
    return (under(domain, "kubernetes.io") || under(domain, "k8s.io"))
        && !OWN.contains(label)
        && !under(domain, "kubelet.kubernetes.io")
        && !under(domain, "node.kubernetes.io");
  }

  private static boolean under(String domain, String parent) {
    return domain.equals(parent) || domain.endsWith("." + parent);
  }
}
