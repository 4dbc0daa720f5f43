package dev.muster.admission.nodes;

import dev.muster.admission.permissions.CertificateSubjectRestriction;
import dev.muster.admission.pods.Pods;
import dev.muster.authorization.Attributes;
import dev.muster.authorization.Authorizer;
import dev.muster.authorization.node.NodeIdentity;
import dev.muster.model.GroupResource;
import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionDenial;
import dev.muster.registry.admission.AdmissionOperation;
import dev.muster.registry.admission.AdmissionRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Limits kubelets to writes of their own node, their own pods, and objects that belong to those.
 */
public final class NodeRestriction implements Admission {
  private final Authorizer authorizer;

  public NodeRestriction(Authorizer authorizer) {
    this.authorizer = authorizer;
  }

  @Override
  public JsonObject admit(AdmissionRequest request) {
    var node = NodeIdentity.of(request.user());
    if (node != null && request.operation() != AdmissionOperation.CONNECT) {
      if (node.isEmpty()) {
        throw AdmissionDenial.of(
            request, "could not determine node from user " + GoText.quote(request.user().name()));
      }
      check(request, node);
    }
    return Admission.super.admit(request);
  }

  private void check(AdmissionRequest request, String node) {
    switch (request.resource().toString()) {
      case "pods" -> checkPod(request, node);
      case "nodes" -> NodeLabels.check(request, node);
      case "persistentvolumeclaims" -> checkClaim(request, node);
      case "serviceaccounts" -> {
        if (request.operation() == AdmissionOperation.CREATE
            && request.subresource().equals("token")) {
          checkToken(request, node);
        }
      }
      case "leases.coordination.k8s.io" -> {
        if (!request.namespace().equals("kube-node-lease")) {
          throw AdmissionDenial.of(
              request, "can only access leases in the \"kube-node-lease\" system namespace");
        }
        checkOwnName(request, node, "node lease");
      }
      case "csinodes.storage.k8s.io" -> checkOwnName(request, node, "CSINode");
      case "resourceslices.resource.k8s.io" -> checkSlice(request, node);
      case "podcertificaterequests.certificates.k8s.io" ->
          throw AdmissionDenial.of(request, "PodCertificateRequest feature gate is disabled");
      case "certificatesigningrequests.certificates.k8s.io" ->
          CertificateSubjectRestriction.checkNode(request, node);
      default -> {
        // For other resources, authorization decides alone.
      }
    }
  }

  private static void checkOwnName(AdmissionRequest request, String node, String what) {
    var object = request.object();
    var name =
        request.operation() == AdmissionOperation.CREATE && object != null
            ? object.object("metadata").string("name")
            // As in kube-apiserver, a kubelet may not delete a collection, even if it only contains
            // its own object.
            : request.requestedName();
    if (!name.equals(node)) {
      throw AdmissionDenial.of(
          request, "can only access " + what + " with the same name as the requesting node");
    }
  }

  private static void checkPod(AdmissionRequest request, String node) {
    switch (request.subresource()) {
      case "" -> checkPodItself(request, node);
      case "status" -> checkPodStatus(request, node);
      case "eviction" -> {
        var pod = find(request, request.name());
        if (!nodeOf(pod).equals(node)) {
          throw AdmissionDenial.of(
              request, "node " + node + " can only evict pods with spec.nodeName set to itself");
        }
      }
      default ->
          throw AdmissionDenial.of(
              request,
              "unexpected pod subresource "
                  + GoText.quote(request.subresource())
                  + ", only 'status' and 'eviction' are allowed");
    }
  }

  private static String nodeOf(JsonObject pod) {
    return Pods.spec(pod).string("nodeName");
  }

  private static JsonObject find(AdmissionRequest request, String name) {
    var pod = request.cluster().get("/pods", request.namespace(), name);
    if (pod == null) {
      throw ApiException.notFound(new GroupResource("", "pods"), name);
    }
    return pod;
  }

  private static void checkPodItself(AdmissionRequest request, String node) {
    var quoted = GoText.quote(node);
    switch (request.operation()) {
      case CREATE -> MirrorPods.check(request, node);
      case DELETE -> {
        if (!nodeOf(request.mustOldObject()).equals(node)) {
          throw AdmissionDenial.of(
              request, "node " + quoted + " can only delete pods with spec.nodeName set to itself");
        }
      }
      case UPDATE, CONNECT ->
          throw AdmissionDenial.of(
              request,
              "unexpected operation "
                  + GoText.quote(request.operation().name())
                  + ", node "
                  + quoted
                  + " can only create and delete mirror pods");
    }
  }

  private static void checkPodStatus(AdmissionRequest request, String node) {
    var start = "node " + GoText.quote(node);
    var pod = request.mustObject();
    var old = request.mustOldObject();
    if (!nodeOf(old).equals(node)) {
      throw AdmissionDenial.of(
          request, start + " can only update pod status for pods with spec.nodeName set to itself");
    }
    if (!pod.object("metadata", "labels").equals(old.object("metadata", "labels"))) {
      throw AdmissionDenial.of(request, start + " cannot update labels through pod status");
    }
    if (changes(pod, old, "resourceClaimStatuses")) {
      throw AdmissionDenial.of(request, start + " cannot update resource claim statues");
    }
    if (changes(pod, old, "extendedResourceClaimStatus")) {
      throw AdmissionDenial.of(request, start + " cannot update extended resource claim status");
    }
  }

  private static boolean changes(JsonObject pod, JsonObject old, String field) {
    @Nullable Object now = pod.object("status").get(field);
    @Nullable Object before = old.object("status").get(field);
    return now == null ? before != null : !now.equals(before);
  }

  private static void checkClaim(AdmissionRequest request, String node) {
    if (!request.subresource().equals("status")) {
      throw AdmissionDenial.of(request, "may only update PVC status");
    }
    if (!bare(request.mustObject()).equals(bare(request.mustOldObject()))) {
      throw AdmissionDenial.of(
          request,
          "node "
              + GoText.quote(node)
              + " is not allowed to update fields other than status.quantity and"
              + " status.conditions");
    }
  }

  /** The claim without the fields that its node may change. */
  private static JsonObject bare(JsonObject claim) {
    var bare =
        claim.withoutAt("metadata", "resourceVersion").withoutAt("metadata", "managedFields");
    for (var field :
        List.of("capacity", "conditions", "allocatedResourceStatuses", "allocatedResources")) {
      bare = bare.withoutAt("status", field);
    }
    return bare.object("status").isEmpty() ? bare.without("status") : bare;
  }

  private void checkToken(AdmissionRequest request, String node) {
    var spec = request.mustObject().object("spec");
    var reference = spec.object("boundObjectRef");
    if (!reference.string("apiVersion").equals("v1")
        || !reference.string("kind").equals("Pod")
        || reference.string("name").isEmpty()) {
      throw AdmissionDenial.of(request, "node requested token not bound to a pod");
    }
    var uid = reference.string("uid");
    if (uid.isEmpty()) {
      throw AdmissionDenial.of(request, "node requested token with a pod binding without a uid");
    }
    var pod = find(request, reference.string("name"));
    if (!uid.equals(pod.object("metadata").string("uid"))) {
      throw AdmissionDenial.of(
          request,
          "the UID in the bound object reference ("
              + uid
              + ") does not match the UID in record. The object might have been deleted and then"
              + " recreated");
    }
    if (!nodeOf(pod).equals(node)) {
      throw AdmissionDenial.of(
          request, "node requested token bound to a pod scheduled on a different node");
    }
    var audiences = spec.array("audiences").strings();
    if (audiences.size() > 1) {
      throw AdmissionDenial.of(request, "node may only request 0 or 1 audiences");
    }
    checkAudience(request, pod, audiences.isEmpty() ? "" : audiences.getFirst());
  }

  /** Refuses audiences that neither the pod's volumes name nor RBAC allows the node. */
  private void checkAudience(AdmissionRequest request, JsonObject pod, String audience) {
    var audiences = new TokenAudiences(request.cluster(), pod);
    if (audiences.contains(audience)) {
      return;
    }
    if (!audiences.problem().isEmpty()) {
      throw AdmissionDenial.of(
          request,
          "error validating audience " + GoText.quote(audience) + ": " + audiences.problem());
    }
    var attributes =
        Attributes.resource(
            request.user(),
            "request-serviceaccounts-token-audience",
            "",
            "v1",
            audience,
            "",
            request.namespace(),
            request.name());
    var decision = authorizer.authorize(attributes, request.cluster());
    if (!decision.allowed()) {
      var user = request.user().name();
      throw AdmissionDenial.of(
          request,
          "audience "
              + GoText.quote(audience)
              + " not found in pod spec volume, "
              + (decision.error().isEmpty()
                  ? user + " is not authorized to request tokens for this audience"
                  : "error authorizing "
                      + user
                      + " to request tokens for this audience: "
                      + decision.error()));
    }
  }

  private static void checkSlice(AdmissionRequest request, String node) {
    boolean create = request.operation() == AdmissionOperation.CREATE;
    if (!create && request.operation() != AdmissionOperation.DELETE) {
      return;
    }
    var slice = create ? request.mustObject() : request.mustOldObject();
    if (!slice.object("spec").string("nodeName").equals(node)) {
      throw AdmissionDenial.of(
          request,
          "can only "
              + (create ? "create" : "delete")
              + " ResourceSlice with the same NodeName as the requesting node");
    }
  }
}
