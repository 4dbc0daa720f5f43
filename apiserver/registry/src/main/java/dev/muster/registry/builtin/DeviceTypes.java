package dev.muster.registry.builtin;

import dev.muster.types.ServedTypeBuilder;
import dev.muster.types.Strategy;
import dev.muster.types.TypeRules;
import dev.muster.types.select.BuiltInFields;
import dev.muster.types.table.GroupTables;
import dev.muster.types.table.TableSpec;
import dev.muster.validation.resource.DeviceClassRules;
import dev.muster.validation.resource.ResourceClaimRules;
import dev.muster.validation.resource.ResourceSliceRules;
import java.util.List;

/** The types of {@code resource.k8s.io}. */
final class DeviceTypes implements TypeRules {
  private DeviceTypes() {}

  static List<ServedTypeBuilder> all() {
    var rules = new DeviceTypes();
    var v1 = new TypeTable("resource.k8s.io/v1", 16200, 21, rules);
    v1.cluster("deviceclasses", "DeviceClass");
    v1.namespaced("resourceclaims", "ResourceClaim")
        .status()
        .withoutTableOf("status")
        .resets("status", "metadata", "spec");
    v1.namespaced("resourceclaimtemplates", "ResourceClaimTemplate");
    v1.cluster("resourceslices", "ResourceSlice").selectable(BuiltInFields.resourceSlices());
    return v1.builders();
  }

  @Override
  public Strategy strategy(String plural) {
    return switch (plural) {
      case "deviceclasses" -> DeviceClassRules.STRATEGY;
      case "resourceclaims" -> ResourceClaimRules.CLAIM;
      case "resourceclaimtemplates" -> ResourceClaimRules.TEMPLATE;
      case "resourceslices" -> ResourceSliceRules.STRATEGY;
      default -> throw new IllegalArgumentException("no rules for " + plural);
    };
  }

  @Override
  public TableSpec table(String plural) {
    return switch (plural) {
      case "deviceclasses", "resourceclaimtemplates" -> TableSpec.NAME_AND_AGE;
      case "resourceclaims" -> GroupTables.resourceClaim();
      case "resourceslices" -> GroupTables.resourceSlice();
      default -> TableSpec.PLAIN;
    };
  }
}
