package dev.muster.registry.types.builtin;

import dev.muster.registry.rules.storage.AttachmentRules;
import dev.muster.registry.rules.storage.AttributesClassRules;
import dev.muster.registry.rules.storage.CapacityRules;
import dev.muster.registry.rules.storage.CsiDriverRules;
import dev.muster.registry.rules.storage.CsiNodeRules;
import dev.muster.registry.rules.storage.StorageClassRules;
import dev.muster.registry.table.StorageTables;
import dev.muster.registry.table.TableSpec;
import dev.muster.registry.types.ServedTypeBuilder;
import dev.muster.registry.types.Strategy;
import dev.muster.registry.types.TypeRules;
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
