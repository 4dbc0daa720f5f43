package dev.muster.registry.types.builtin;

import dev.muster.registry.rules.core.EndpointSliceRules;
import dev.muster.registry.table.ServiceTables;
import dev.muster.registry.types.ServedTypeBuilder;
import java.util.List;

/** The types of {@code discovery.k8s.io}. */
final class DiscoveryTypes {
  private DiscoveryTypes() {}

  static List<ServedTypeBuilder> all() {
    var v1 = new TypeTable("discovery.k8s.io/v1", 16200, 15);
    v1.namespaced("endpointslices", "EndpointSlice", EndpointSliceRules.STRATEGY)
        .table(ServiceTables.ENDPOINT_SLICE);
    return v1.builders();
  }
}
