package dev.muster.authorization.node;

import dev.muster.authorization.node.References.Kind;
import dev.muster.model.json.JsonObject;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Finds the objects that a pod lets its node read. A mirror pod has none, because a node could
 * otherwise give itself rights by creating mirror pods.
 */
final class PodReferences {
  private static final String MIRROR = "kubernetes.io/config.mirror";

  /** The types of volumes that name a secret in {@code secretRef}. */
  private static final List<String> WITH_SECRET_REFERENCE =
      List.of(
          "azureFile",
          "cephfs",
          "cinder",
          "flexVolume",
          "projected",
          "rbd",
          "secret",
          "scaleIO",
          "iscsi",
          "storageos",
          "csi");

  private PodReferences() {}

  static void visit(JsonObject pod, BiConsumer<Kind, String> found) {
    var spec = pod.object("spec");
    var node = spec.string("nodeName");
    if (node.isEmpty()) {
      return;
    }
    found.accept(Kind.NODE, node);
    if (pod.object("metadata", "annotations").has(MIRROR)) {
      return;
    }
    found.accept(Kind.SERVICE_ACCOUNT, spec.string("serviceAccountName"));
    for (var pull : spec.array("imagePullSecrets").objects()) {
      found.accept(Kind.SECRET, pull.string("name"));
    }
    for (var list : List.of("initContainers", "containers", "ephemeralContainers")) {
      for (var container : spec.array(list).objects()) {
        container(container, found);
      }
    }
    var podName = pod.object("metadata").string("name");
    for (var volume : spec.array("volumes").objects()) {
      volume(podName, volume, found);
    }
    devices(pod, found);
  }

  private static void container(JsonObject container, BiConsumer<Kind, String> found) {
    for (var source : container.array("envFrom").objects()) {
      found.accept(Kind.SECRET, source.object("secretRef").string("name"));
      found.accept(Kind.CONFIG_MAP, source.object("configMapRef").string("name"));
    }
    for (var variable : container.array("env").objects()) {
      var from = variable.object("valueFrom");
      found.accept(Kind.SECRET, from.object("secretKeyRef").string("name"));
      found.accept(Kind.CONFIG_MAP, from.object("configMapKeyRef").string("name"));
    }
  }

  private static void volume(String podName, JsonObject volume, BiConsumer<Kind, String> found) {
    if (volume.has("persistentVolumeClaim")) {
      found.accept(Kind.CLAIM, volume.object("persistentVolumeClaim").string("claimName"));
    } else if (volume.has("ephemeral")) {
      found.accept(Kind.CLAIM, podName + "-" + volume.string("name"));
    }
    if (volume.has("configMap") && !volume.has("projected")) {
      found.accept(Kind.CONFIG_MAP, volume.object("configMap").string("name"));
    }
    for (var source : volume.object("projected").array("sources").objects()) {
      found.accept(Kind.CONFIG_MAP, source.object("configMap").string("name"));
    }
    // A volume has one source; if more are stored, only the first is used.
    for (var kind : WITH_SECRET_REFERENCE) {
      if (volume.has(kind)) {
        secrets(kind, volume.object(kind), found);
        return;
      }
    }
  }

  private static void secrets(String kind, JsonObject source, BiConsumer<Kind, String> found) {
    switch (kind) {
      case "azureFile", "secret" -> found.accept(Kind.SECRET, source.string("secretName"));
      case "projected" -> {
        for (var projected : source.array("sources").objects()) {
          found.accept(Kind.SECRET, projected.object("secret").string("name"));
        }
      }
      case "csi" -> found.accept(Kind.SECRET, source.object("nodePublishSecretRef").string("name"));
      default -> found.accept(Kind.SECRET, source.object("secretRef").string("name"));
    }
  }

  /** Resource claims by name, from a template, and for extended resources. */
  private static void devices(JsonObject pod, BiConsumer<Kind, String> found) {
    var status = pod.object("status");
    for (var claim : pod.object("spec").array("resourceClaims").objects()) {
      if (claim.has("resourceClaimName")) {
        found.accept(Kind.RESOURCE_CLAIM, claim.string("resourceClaimName"));
      } else if (claim.has("resourceClaimTemplateName")) {
        for (var made : status.array("resourceClaimStatuses").objects()) {
          if (made.string("name").equals(claim.string("name"))) {
            found.accept(Kind.RESOURCE_CLAIM, made.string("resourceClaimName"));
            break;
          }
        }
      }
    }
    found.accept(
        Kind.RESOURCE_CLAIM,
        status.object("extendedResourceClaimStatus").string("resourceClaimName"));
  }
}
