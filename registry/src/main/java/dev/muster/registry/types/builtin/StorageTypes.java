package dev.muster.registry.types.builtin;

import dev.muster.registry.rules.storage.AttachmentRules;
import dev.muster.registry.rules.storage.AttributesClassRules;
import dev.muster.registry.rules.storage.CapacityRules;
import dev.muster.registry.rules.storage.CsiDriverRules;
import dev.muster.registry.rules.storage.CsiNodeRules;
import dev.muster.registry.rules.storage.StorageClassRules;
import dev.muster.registry.table.StorageTables;
import dev.muster.registry.types.ServedTypeBuilder;
import java.util.List;

/** The types of {@code storage.k8s.io}. */
final class StorageTypes {
  private StorageTypes() {}

  static List<ServedTypeBuilder> all() {
    var v1 = new TypeTable("storage.k8s.io/v1", 16800, 15);
    v1.cluster("csidrivers", "CSIDriver", CsiDriverRules.STRATEGY).table(StorageTables.driver());
    v1.cluster("csinodes", "CSINode", CsiNodeRules.STRATEGY).table(StorageTables.node());
    v1.namespaced("csistoragecapacities", "CSIStorageCapacity", CapacityRules.STRATEGY);
    v1.cluster("storageclasses", "StorageClass", StorageClassRules.STRATEGY, "sc")
        .table(StorageTables.storageClass());
    v1.cluster("volumeattachments", "VolumeAttachment", AttachmentRules.STRATEGY)
        .status()
        .table(StorageTables.attachment())
        .resets("status", "metadata", "spec");
    v1.cluster(
            "volumeattributesclasses",
            "VolumeAttributesClass",
            AttributesClassRules.STRATEGY,
            "vac")
        .table(StorageTables.attributesClass());
    return v1.builders();
  }
}
