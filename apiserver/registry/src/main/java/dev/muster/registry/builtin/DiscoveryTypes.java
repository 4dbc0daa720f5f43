package dev.muster.registry.builtin;

import dev.muster.types.ServedTypeBuilder;
import dev.muster.types.Strategy;
import dev.muster.types.TypeRules;
import dev.muster.types.table.ServiceTables;
import dev.muster.types.table.TableSpec;
import dev.muster.validation.services.EndpointSliceRules;
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
