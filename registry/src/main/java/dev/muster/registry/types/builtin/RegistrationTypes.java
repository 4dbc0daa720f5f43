package dev.muster.registry.types.builtin;

import dev.muster.registry.rules.apis.ApiServiceRules;
import dev.muster.registry.table.GroupTables;
import dev.muster.registry.types.ServedTypeBuilder;
import java.util.List;

/**
 * The types of {@code apiregistration.k8s.io}. It stands before all others and has no APIService.
 */
final class RegistrationTypes {
  /** More than any APIService can have. */
  private static final int FIRST = 20_001;

  private RegistrationTypes() {}

  static List<ServedTypeBuilder> all() {
    var v1 = new TypeTable("apiregistration.k8s.io/v1", FIRST, 0);
    v1.cluster("apiservices", "APIService", ApiServiceRules.STRATEGY)
        .categories("api-extensions")
        .storage("/apiregistration.k8s.io/apiservices")
        .status()
        .table(GroupTables.apiService())
        .withoutTableOf("status")
        .resets("status", "metadata", "spec");
    return v1.builders();
  }
}
