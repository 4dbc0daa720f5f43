package dev.muster.registry.builtin;

import dev.muster.types.ServedTypeBuilder;
import dev.muster.types.Strategy;
import dev.muster.types.TypeRules;
import dev.muster.types.TypeTrait;
import dev.muster.types.table.GroupTables;
import dev.muster.types.table.TableSpec;
import dev.muster.validation.apis.ApiServiceRules;
import java.util.List;

/**
 * The types of {@code apiregistration.k8s.io}. The group comes first in discovery and has no
 * APIService.
 */
final class RegistrationTypes implements TypeRules {
  /** Higher than the priority that any APIService can have. */
  private static final int FIRST = 20_001;

  private RegistrationTypes() {}

  static List<ServedTypeBuilder> all() {
    var rules = new RegistrationTypes();
    var v1 = new TypeTable("apiregistration.k8s.io/v1", FIRST, 0, rules);
    v1.cluster("apiservices", "APIService")
        .categories("api-extensions")
        .storage("/apiregistration.k8s.io/apiservices")
        .status()
        .withoutTableOf("status")
        .resets("status", "metadata", "spec")
        .trait(TypeTrait.KEPT_AS_JSON);
    return v1.builders();
  }

  @Override
  public Strategy strategy(String plural) {
    return switch (plural) {
      case "apiservices" -> ApiServiceRules.STRATEGY;
      default -> throw new IllegalArgumentException("no rules for " + plural);
    };
  }

  @Override
  public TableSpec table(String plural) {
    return switch (plural) {
      case "apiservices" -> GroupTables.apiService();
      default -> TableSpec.PLAIN;
    };
  }
}
