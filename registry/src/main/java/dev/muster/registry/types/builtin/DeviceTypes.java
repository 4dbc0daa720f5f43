package dev.muster.registry.types.builtin;

import dev.muster.registry.rules.devices.DeviceClassRules;
import dev.muster.registry.rules.devices.ResourceClaimRules;
import dev.muster.registry.rules.devices.ResourceSliceRules;
import dev.muster.registry.select.BuiltInFields;
import dev.muster.registry.table.GroupTables;
import dev.muster.registry.table.TableSpec;
import dev.muster.registry.types.ServedTypeBuilder;
import java.util.List;

/** The types of {@code resource.k8s.io}. */
final class DeviceTypes {
  private DeviceTypes() {}

  static List<ServedTypeBuilder> all() {
    var v1 = new TypeTable("resource.k8s.io/v1", 16200, 21);
    v1.cluster("deviceclasses", "DeviceClass", DeviceClassRules.STRATEGY)
        .table(TableSpec.NAME_AND_AGE);
    v1.namespaced("resourceclaims", "ResourceClaim", ResourceClaimRules.CLAIM)
        .status()
        .table(GroupTables.resourceClaim())
        .withoutTableOf("status")
        .resets("status", "metadata", "spec");
    v1.namespaced("resourceclaimtemplates", "ResourceClaimTemplate", ResourceClaimRules.TEMPLATE)
        .table(TableSpec.NAME_AND_AGE);
    v1.cluster("resourceslices", "ResourceSlice", ResourceSliceRules.STRATEGY)
        .table(GroupTables.resourceSlice())
        .selectable(BuiltInFields.resourceSlices());
    return v1.builders();
  }
}
