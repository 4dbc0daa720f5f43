package dev.muster.registry.builtin;

import dev.muster.types.ServedTypeBuilder;
import dev.muster.types.Strategy;
import dev.muster.types.TypeRules;
import dev.muster.types.table.FleetTables;
import dev.muster.types.table.TableSpec;
import dev.muster.validation.fleet.FleetRules;
import java.util.List;

/** The types of {@code apiservercoordination.k8s.io}, a group of Muster's own. */
final class FleetTypes implements TypeRules {
  private FleetTypes() {}

  static List<ServedTypeBuilder> all() {
    var rules = new FleetTypes();
    var v1alpha1 = new TypeTable("apiservercoordination.k8s.io/v1alpha1", 0, 0, rules);
    v1alpha1.cluster("discoverydochashes", "DiscoveryDocHashes", "ddh");
    return v1alpha1.builders();
  }

  @Override
  public Strategy strategy(String plural) {
    return switch (plural) {
      case "discoverydochashes" -> FleetRules.HASHES;
      default -> throw new IllegalArgumentException("no rules for " + plural);
    };
  }

  @Override
  public TableSpec table(String plural) {
    return switch (plural) {
      case "discoverydochashes" -> FleetTables.discoveryHashes();
      default -> TableSpec.PLAIN;
    };
  }
}
