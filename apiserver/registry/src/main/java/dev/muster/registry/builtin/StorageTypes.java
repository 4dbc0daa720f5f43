package dev.muster.registry.builtin;

import dev.muster.types.ServedTypeBuilder;
import dev.muster.types.Strategy;
import dev.muster.types.TypeRules;
import dev.muster.types.table.StorageTables;
import dev.muster.types.table.TableSpec;
import dev.muster.validation.storage.AttachmentRules;
import dev.muster.validation.storage.AttributesClassRules;
import dev.muster.validation.storage.CapacityRules;
import dev.muster.validation.storage.CsiDriverRules;
import dev.muster.validation.storage.CsiNodeRules;
import dev.muster.validation.storage.StorageClassRules;
import java.util.List;

/** The types of {@code storage.k8s.io}. */
final class StorageTypes implements TypeRules {
  private StorageTypes() {}

  static List<ServedTypeBuilder> all() {
    var rules = new StorageTypes();
    var v1 = new TypeTable("storage.k8s.io/v1", 16800, 15, rules);
    v1.cluster("csidrivers", "CSIDriver");
    v1.cluster("csinodes", "CSINode");
    v1.namespaced("csistoragecapacities", "CSIStorageCapacity");
    v1.cluster("storageclasses", "StorageClass", "sc");
    v1.cluster("volumeattachments", "VolumeAttachment")
        .status()
        .resets("status", "metadata", "spec");
    v1.cluster("volumeattributesclasses", "VolumeAttributesClass", "vac");
    return v1.builders();
  }

  @Override
  public Strategy strategy(String plural) {
    return switch (plural) {
      case "csidrivers" -> CsiDriverRules.STRATEGY;
      case "csinodes" -> CsiNodeRules.STRATEGY;
      case "csistoragecapacities" -> CapacityRules.STRATEGY;
      case "storageclasses" -> StorageClassRules.STRATEGY;
      case "volumeattachments" -> AttachmentRules.STRATEGY;
      case "volumeattributesclasses" -> AttributesClassRules.STRATEGY;
      default -> throw new IllegalArgumentException("no rules for " + plural);
    };
  }

  @Override
  public TableSpec table(String plural) {
    return switch (plural) {
      case "csidrivers" -> StorageTables.driver();
      case "csinodes" -> StorageTables.node();
      case "storageclasses" -> StorageTables.storageClass();
      case "volumeattachments" -> StorageTables.attachment();
      case "volumeattributesclasses" -> StorageTables.attributesClass();
      default -> TableSpec.PLAIN;
    };
  }
}
