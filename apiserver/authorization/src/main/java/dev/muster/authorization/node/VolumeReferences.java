package dev.muster.authorization.node;

import dev.muster.authorization.node.References.Kind;
import dev.muster.model.json.JsonObject;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Finds the secrets that a persistent volume lets nodes read: those that a kubelet needs, not those
 * of controllers. A volume without a claim has none.
 */
final class VolumeReferences {
  /** Sources whose secret is in the claim's namespace unless another one is named. */
  private static final List<String> BESIDE_THE_CLAIM =
      List.of("cephfs", "flexVolume", "rbd", "scaleIO", "iscsi");

  private static final List<String> WITH_NAMESPACE = List.of("cinder", "storageos");

  private static final List<String> OF_KUBELETS =
      List.of("nodePublishSecretRef", "nodeStageSecretRef", "nodeExpandSecretRef");

  private VolumeReferences() {}

  static void visit(JsonObject volume, BiConsumer<Kind, String> found) {
    var spec = volume.object("spec");
    if (!spec.has("claimRef")) {
      return;
    }
    var claim = spec.object("claimRef");
    var namespace = claim.string("namespace");
    found.accept(Kind.CLAIM, namespace + "/" + claim.string("name"));
    if (spec.has("azureFile")) {
      var source = spec.object("azureFile");
      secret(source.string("secretNamespace"), namespace, source.string("secretName"), found);
      return;
    }
    for (var kind : BESIDE_THE_CLAIM) {
      var reference = spec.object(kind).object("secretRef");
      secret(reference.string("namespace"), namespace, reference.string("name"), found);
    }
    for (var kind : WITH_NAMESPACE) {
      var reference = spec.object(kind).object("secretRef");
      secret(reference.string("namespace"), "", reference.string("name"), found);
    }
    for (var field : OF_KUBELETS) {
      var reference = spec.object("csi").object(field);
      secret(reference.string("namespace"), "", reference.string("name"), found);
    }
  }

  private static void secret(
      String namespace, String otherwise, String name, BiConsumer<Kind, String> found) {
    if (!name.isEmpty()) {
      found.accept(Kind.SECRET, (namespace.isEmpty() ? otherwise : namespace) + "/" + name);
    }
  }
}
