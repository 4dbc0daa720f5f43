package dev.muster.registry.builtin;

import dev.muster.types.ServedTypeBuilder;
import dev.muster.types.Strategy;
import dev.muster.types.TypeRules;
import dev.muster.types.TypeTrait;
import java.util.List;

/** The types of {@code authorization.k8s.io}. */
final class AuthorizationTypes implements TypeRules {
  private AuthorizationTypes() {}

  static List<ServedTypeBuilder> all() {
    var rules = new AuthorizationTypes();
    var v1 = new TypeTable("authorization.k8s.io/v1", 17600, 15, rules);
    v1.namespaced("localsubjectaccessreviews", "LocalSubjectAccessReview")
        .verbs("create")
        .trait(TypeTrait.NOT_COUNTED);
    v1.cluster("selfsubjectaccessreviews", "SelfSubjectAccessReview").verbs("create");
    v1.cluster("selfsubjectrulesreviews", "SelfSubjectRulesReview").verbs("create");
    v1.cluster("subjectaccessreviews", "SubjectAccessReview").verbs("create");
    return v1.builders();
  }

  @Override
  public Strategy strategy(String plural) {
    return plural.equals("localsubjectaccessreviews") ? TypeTable.NAMESPACED : TypeTable.CLUSTER;
  }
}
