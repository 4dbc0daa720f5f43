package dev.muster.admission.policy;

import dev.muster.model.GroupResource;
import dev.muster.types.ClusterView;
import java.util.List;
import java.util.Set;

/**
 * The resources to which policies from the API never apply: the policies and webhooks themselves,
 * so that users cannot lock themselves out, and reviews, which are created while other requests are
 * decided.
 */
final class ExcludedResources {
  private static final String ADMISSION = "admissionregistration.k8s.io";
  private static final String AUTHENTICATION = "authentication.k8s.io";
  private static final String AUTHORIZATION = "authorization.k8s.io";
  private static final Set<GroupResource> POLICIES =
      Set.of(
          new GroupResource(ADMISSION, "validatingadmissionpolicies"),
          new GroupResource(ADMISSION, "validatingadmissionpolicybindings"),
          new GroupResource(ADMISSION, "mutatingadmissionpolicies"),
          new GroupResource(ADMISSION, "mutatingadmissionpolicybindings"));
  private static final Set<GroupResource> REVIEWS =
      Set.of(
          new GroupResource(AUTHENTICATION, "selfsubjectreviews"),
          new GroupResource(AUTHENTICATION, "tokenreviews"),
          new GroupResource(AUTHORIZATION, "localsubjectaccessreviews"),
          new GroupResource(AUTHORIZATION, "selfsubjectaccessreviews"),
          new GroupResource(AUTHORIZATION, "selfsubjectrulesreviews"),
          new GroupResource(AUTHORIZATION, "subjectaccessreviews"));

  private ExcludedResources() {}

  /** The policies that apply to a resource. */
  static List<PolicySource.Bound> policiesFor(
      GroupResource resource, PolicySource source, ClusterView cluster) {
    if (REVIEWS.contains(resource)) {
      return List.of();
    }
    return POLICIES.contains(resource) ? source.ofFiles() : source.in(cluster);
  }
}
