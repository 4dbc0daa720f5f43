package dev.muster.multicluster.identity.webhook;

import dev.muster.multicluster.identity.ClusterProperties;
import dev.muster.multicluster.identity.ClusterProperty;
import dev.muster.multicluster.rules.PropertyChange;
import dev.muster.multicluster.rules.PropertyRules;
import dev.muster.multicluster.rules.PropertyVerdict;
import dev.muster.multicluster.rules.WellKnownProperties;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.api.model.admission.v1.AdmissionRequest;
import io.fabric8.kubernetes.api.model.admission.v1.AdmissionResponse;
import io.fabric8.kubernetes.api.model.admission.v1.AdmissionResponseBuilder;
import io.fabric8.kubernetes.api.model.admission.v1.AdmissionReview;
import io.fabric8.kubernetes.api.model.admission.v1.AdmissionReviewBuilder;
import io.fabric8.kubernetes.api.model.authentication.UserInfo;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Answers admission reviews about changes of cluster properties. Thread-safe. Blocks the caller.
 */
record ReviewHandler(KubernetesClient client, PropertyRules rules) {
  /**
   * @throws IllegalArgumentException when the review contains no request
   */
  AdmissionReview answer(@Nullable AdmissionReview review) {
    var request = review == null ? null : review.getRequest();
    if (request == null || request.getUid() == null) {
      throw new IllegalArgumentException("not an AdmissionReview with a request");
    }
    return new AdmissionReviewBuilder().withResponse(judged(request)).build();
  }

  private AdmissionResponse judged(AdmissionRequest request) {
    var response = new AdmissionResponseBuilder().withUid(request.getUid());
    var verdict =
        isAboutProperties(request)
            ? rules.evaluate(
                change(request),
                new ClusterProperties(client).identity(),
                () -> mayManageMembership(request.getUserInfo()))
            : PropertyVerdict.allowed();
    return switch (verdict) {
      case PropertyVerdict.Allowed allowed ->
          response.withAllowed(true).withWarnings(allowed.warnings()).build();
      case PropertyVerdict.Refused refused ->
          response
              .withAllowed(false)
              .withStatus(
                  new StatusBuilder()
                      .withCode(403)
                      .withReason("Forbidden")
                      .withMessage(refused.sentence())
                      .build())
              .build();
    };
  }

  private static boolean isAboutProperties(AdmissionRequest request) {
    var resource = request.getResource();
    return resource != null
        && ClusterProperty.GROUP.equals(resource.getGroup())
        && "clusterproperties".equals(resource.getResource())
        && Objects.requireNonNullElse(request.getSubResource(), "").isEmpty();
  }

  private static PropertyChange change(AdmissionRequest request) {
    var name = name(request);
    return switch (String.valueOf(request.getOperation())) {
      case "DELETE" -> new PropertyChange.Delete(name);
      case "UPDATE" ->
          new PropertyChange.Update(
              name, value(request.getOldObject()), value(request.getObject()));
      default -> new PropertyChange.Create(name, value(request.getObject()));
    };
  }

  /** The name in the object; in a deletecollection the request has none. */
  private static String name(AdmissionRequest request) {
    var object = request.getOldObject() == null ? request.getObject() : request.getOldObject();
    return object instanceof HasMetadata named
            && named.getMetadata() != null
            && named.getMetadata().getName() != null
        ? named.getMetadata().getName()
        : Objects.requireNonNullElse(request.getName(), "");
  }

  private static String value(@Nullable Object object) {
    return object instanceof GenericKubernetesResource resource
            && resource.getAdditionalProperties().get("spec") instanceof Map<?, ?> spec
            && spec.get("value") instanceof String value
        ? value
        : "";
  }

  private boolean mayManageMembership(@Nullable UserInfo user) {
    if (user == null) {
      return false;
    }
    var review =
        new SubjectAccessReviewBuilder()
            .withNewSpec()
            .withUser(user.getUsername())
            .withUid(user.getUid())
            .withGroups(Objects.requireNonNullElse(user.getGroups(), List.of()))
            .withExtra(Objects.requireNonNullElse(user.getExtra(), Map.of()))
            .withNewResourceAttributes()
            .withVerb(PropertyRules.MEMBERSHIP_VERB)
            .withGroup(ClusterProperty.GROUP)
            .withResource("clusterproperties")
            .withName(WellKnownProperties.CLUSTER_SET)
            .endResourceAttributes()
            .endSpec()
            .build();
    var status = client.resource(review).create().getStatus();
    return status != null && Boolean.TRUE.equals(status.getAllowed());
  }
}
