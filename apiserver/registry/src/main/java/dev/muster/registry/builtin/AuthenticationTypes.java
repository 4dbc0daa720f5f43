package dev.muster.registry.builtin;

import dev.muster.types.ServedTypeBuilder;
import dev.muster.types.Strategy;
import dev.muster.types.TypeRules;
import java.util.List;

/** The types of {@code authentication.k8s.io}. */
final class AuthenticationTypes implements TypeRules {
  private AuthenticationTypes() {}

  static List<ServedTypeBuilder> all() {
    var rules = new AuthenticationTypes();
    var v1 = new TypeTable("authentication.k8s.io/v1", 17700, 15, rules);
    v1.cluster("selfsubjectreviews", "SelfSubjectReview").verbs("create");
    v1.cluster("tokenreviews", "TokenReview").verbs("create");
    return v1.builders();
  }

  @Override
  public Strategy strategy(String plural) {
    return TypeTable.CLUSTER;
  }
}
