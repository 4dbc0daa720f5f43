package dev.muster.registry.types.builtin;

import dev.muster.registry.types.ServedTypeBuilder;
import java.util.List;

/** The types of {@code authentication.k8s.io}. */
final class AuthenticationTypes {
  private AuthenticationTypes() {}

  static List<ServedTypeBuilder> all() {
    var v1 = new TypeTable("authentication.k8s.io/v1", 17700, 15);
    v1.cluster("selfsubjectreviews", "SelfSubjectReview").verbs("create");
    v1.cluster("tokenreviews", "TokenReview").verbs("create");
    return v1.builders();
  }
}
