package dev.muster.registry.types.builtin;

import dev.muster.registry.rules.services.EndpointSliceRules;
import dev.muster.registry.table.ServiceTables;
import dev.muster.registry.table.TableSpec;
import dev.muster.registry.types.ServedTypeBuilder;
import dev.muster.registry.types.Strategy;
import dev.muster.registry.types.TypeRules;
import java.util.List;

/** The types of {@code discovery.k8s.io}. */
final class DiscoveryTypes implements TypeRules {
  private DiscoveryTypes() {}

  static List<ServedTypeBuilder> all() {
    var rules = new DiscoveryTypes();
    var v1 = new TypeTable("discovery.k8s.io/v1", 16200, 15, rules);
    v1.namespaced("endpointslices", "EndpointSlice");
    return v1.builders();
  }

  @Override
  public Strategy strategy(String plural) {
    return switch (plural) {
      case "endpointslices" -> EndpointSliceRules.STRATEGY;
      default -> throw new IllegalArgumentException("no rules for " + plural);
    };
  }

  @Override
  public TableSpec table(String plural) {
    return switch (plural) {
      case "endpointslices" -> ServiceTables.ENDPOINT_SLICE;
      default -> TableSpec.PLAIN;
    };
  }
}
