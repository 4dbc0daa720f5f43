package dev.muster.validation.storage;

import dev.muster.validation.FieldCursor;

/** Validates a volume spec inside another object, which must be a CSI volume. */
public final class InlineVolumes {
  private static final String CONTEXT = "in the context of inline volumes";
  private static final String NOT_HERE = "may not be specified " + CONTEXT;

  private InlineVolumes() {}

  public static void check(FieldCursor spec) {
    notHere(spec, "claimRef");
    if (!spec.at("capacity").isEmpty()) {
      spec.at("capacity").forbidden(NOT_HERE);
    }
    if (!spec.has("csi")) {
      spec.at("csi").required("has to be specified " + CONTEXT);
    }
    AccessModes.check(spec.at("accessModes"), "");
    var policy = spec.at("persistentVolumeReclaimPolicy");
    if (!policy.isEmpty() && !policy.isText("Retain")) {
      policy.forbidden("may only be Retain " + CONTEXT);
    }
    notHere(spec, "nodeAffinity");
    VolumeRules.source(spec, false);
    if (!spec.at("storageClassName").isEmpty()) {
      spec.at("storageClassName").forbidden(NOT_HERE);
    }
    var mode = spec.at("volumeMode");
    if (mode.isPresent() && !mode.isText("Filesystem")) {
      mode.forbidden("may not specify volumeMode other than Filesystem " + CONTEXT);
    }
  }

  private static void notHere(FieldCursor spec, String field) {
    if (spec.has(field)) {
      spec.at(field).forbidden(NOT_HERE);
    }
  }
}
