package dev.muster.admission.nodes;

import dev.muster.admission.pods.MountableSecrets;
import dev.muster.admission.pods.Pods;
import dev.muster.model.GroupResource;
import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.registry.admission.AdmissionDenial;
import dev.muster.registry.admission.AdmissionRequest;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Checks the mirror pods that a kubelet creates for its static pods. */
final class MirrorPods {
  /** Volume types that refer to API objects, with the word for the error. */
  private static final Map<String, String> LEADING = new LinkedHashMap<>();

  /** Projected volume sources that refer to API objects. */
  private static final Map<String, String> PROJECTED = new LinkedHashMap<>();

  static {
    LEADING.put("configMap", "configmaps");
    LEADING.put("secret", "secrets (via secret volumes)");
    LEADING.put("csi", "csidrivers (via CSI volumes)");
    LEADING.put("glusterfs", "endpoints (via glusterFS volumes)");
    LEADING.put("persistentVolumeClaim", "persistentvolumeclaims");
    LEADING.put("ephemeral", "persistentvolumeclaims (via ephemeral volumes)");
    LEADING.put("azureFile", "secrets (via azureFile volumes)");
    PROJECTED.put("configMap", "configmaps");
    PROJECTED.put("secret", "secrets (via projected volumes)");
    PROJECTED.put("serviceAccountToken", "serviceaccounts (via projected volumes)");
    PROJECTED.put("clusterTrustBundle", "clustertrustbundles");
    PROJECTED.put("podCertificate", "podcertificates");
  }

  /** Volume types without references; types in none of the lists are refused. */
  private static final Set<String> HARMLESS =
      Set.of(
          "awsElasticBlockStore",
          "azureDisk",
          "cephfs",
          "cinder",
          "downwardAPI",
          "emptyDir",
          "fc",
          "flexVolume",
          "flocker",
          "gcePersistentDisk",
          "gitRepo",
          "hostPath",
          "image",
          "iscsi",
          "nfs",
          "photonPersistentDisk",
          "portworxVolume",
          "projected",
          "quobyte",
          "rbd",
          "scaleIO",
          "storageos",
          "vsphereVolume");

  private MirrorPods() {}

  static void check(AdmissionRequest request, String node) {
    var pod = request.mustObject();
    var start = "node " + GoText.quote(node);
    if (!Pods.isMirror(pod)) {
      throw AdmissionDenial.of(
          request,
          "pod does not have "
              + GoText.quote(Pods.MIRROR)
              + " annotation, "
              + start
              + " can only create mirror pods");
    }
    if (!Pods.spec(pod).string("nodeName").equals(node)) {
      throw AdmissionDenial.of(
          request, start + " can only create pods with spec.nodeName set to itself");
    }
    checkOwner(request, pod, node, start);
    var reference = reference(Pods.spec(pod));
    if (!reference.isEmpty()) {
      throw AdmissionDenial.of(request, start + " can not create pods that reference " + reference);
    }
    for (var volume : Pods.spec(pod).array("volumes").objects()) {
      var name = GoText.quote(volume.string("name"));
      if (HARMLESS.stream().noneMatch(volume::has)) {
        throw unknown(request, "unknown volume type for volume  " + name);
      }
      for (var source : volume.object("projected").array("sources").objects()) {
        if (!source.has("downwardAPI")) {
          throw unknown(request, "unknown source for projected volume " + name);
        }
      }
    }
  }

  private static ApiException unknown(AdmissionRequest request, String what) {
    return AdmissionDenial.of(request, "error checking mirror pod for API references: " + what);
  }

  private static void checkOwner(
      AdmissionRequest request, JsonObject pod, String node, String start) {
    var owners = pod.object("metadata").array("ownerReferences").objects();
    if (owners.size() > 1) {
      throw AdmissionDenial.of(
          request, start + " can only create pods with a single owner reference set to itself");
    }
    if (owners.isEmpty()
        || !owners.getFirst().string("apiVersion").equals("v1")
        || !owners.getFirst().string("kind").equals("Node")
        || !owners.getFirst().string("name").equals(node)) {
      throw AdmissionDenial.of(
          request, start + " can only create pods with an owner reference set to itself");
    }
    var owner = owners.getFirst();
    if (!owner.isTrue("controller")) {
      throw AdmissionDenial.of(
          request, start + " can only create pods with a controller owner reference set to itself");
    }
    if (owner.isTrue("blockOwnerDeletion")) {
      throw AdmissionDenial.of(
          request, start + " must not set blockOwnerDeletion on an owner reference");
    }
    var known = request.cluster().get("/minions", "", node);
    if (known == null) {
      throw ApiException.notFound(new GroupResource("", "nodes"), node);
    }
    var uid = known.object("metadata").string("uid");
    if (!owner.string("uid").equals(uid)) {
      throw AdmissionDenial.of(
          request,
          "node %s UID mismatch: expected %s got %s".formatted(node, owner.string("uid"), uid));
    }
  }

  /** The API object that a pod refers to; "" for none. */
  private static String reference(JsonObject spec) {
    if (!spec.string("serviceAccountName").isEmpty()) {
      return "serviceaccounts";
    }
    if (MountableSecrets.anySecret(spec)) {
      return "secrets";
    }
    if (Pods.allContainers(spec).stream().anyMatch(MirrorPods::usesConfigMap)) {
      return "configmaps";
    }
    if (!spec.array("resourceClaims").isEmpty()) {
      return "resourceclaims";
    }
    for (var volume : spec.array("volumes").objects()) {
      for (var kind : LEADING.entrySet()) {
        if (volume.has(kind.getKey())) {
          return kind.getValue();
        }
      }
      for (var source : volume.object("projected").array("sources").objects()) {
        for (var kind : PROJECTED.entrySet()) {
          if (source.has(kind.getKey())) {
            return kind.getValue();
          }
        }
      }
    }
    return "";
  }

  private static boolean usesConfigMap(JsonObject container) {
    return container.array("envFrom").objects().stream().anyMatch(s -> s.has("configMapRef"))
        || container.array("env").objects().stream()
            .anyMatch(v -> v.object("valueFrom").has("configMapKeyRef"));
  }
}
