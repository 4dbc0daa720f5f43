package dev.muster.access.admission.policy;

import dev.muster.model.GroupResource;
import java.util.Set;

/**
 * What policies are never about: what decides about policies itself, so that nobody locks himself
 * out, and questions about rights, which are asked while requests are decided.
 */
final class ExcludedResources {
  private static final String ADMISSION = "admissionregistration.k8s.io";
  private static final String AUTHENTICATION = "authentication.k8s.io";
  private static final String AUTHORIZATION = "authorization.k8s.io";
  private static final Set<GroupResource> ALL =
      Set.of(
          new GroupResource(ADMISSION, "validatingadmissionpolicies"),
          new GroupResource(ADMISSION, "validatingadmissionpolicybindings"),
          new GroupResource(ADMISSION, "mutatingadmissionpolicies"),
          new GroupResource(ADMISSION, "mutatingadmissionpolicybindings"),
          new GroupResource(AUTHENTICATION, "selfsubjectreviews"),
          new GroupResource(AUTHENTICATION, "tokenreviews"),
          new GroupResource(AUTHORIZATION, "localsubjectaccessreviews"),
          new GroupResource(AUTHORIZATION, "selfsubjectaccessreviews"),
          new GroupResource(AUTHORIZATION, "selfsubjectrulesreviews"),
          new GroupResource(AUTHORIZATION, "subjectaccessreviews"));

  private ExcludedResources() {}

  static boolean contain(GroupResource resource) {
    return ALL.contains(resource);
  }
}
