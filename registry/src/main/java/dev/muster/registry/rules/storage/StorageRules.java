package dev.muster.registry.rules.storage;

import dev.muster.model.GroupKind;
import dev.muster.registry.Strategy;
import java.util.Map;

/** The strategies of classes of storage, and of what CSI drivers say about themselves. */
public final class StorageRules {
  private static final String GROUP = "storage.k8s.io";

  private StorageRules() {}

  public static Map<GroupKind, Strategy> strategies() {
    return Map.of(
        new GroupKind(GROUP, "CSIDriver"), CsiDriverRules.STRATEGY,
        new GroupKind(GROUP, "CSINode"), CsiNodeRules.STRATEGY,
        new GroupKind(GROUP, "CSIStorageCapacity"), CapacityRules.STRATEGY,
        new GroupKind(GROUP, "StorageClass"), StorageClassRules.STRATEGY,
        new GroupKind(GROUP, "VolumeAttachment"), AttachmentRules.STRATEGY,
        new GroupKind(GROUP, "VolumeAttributesClass"), AttributesClassRules.STRATEGY);
  }
}
