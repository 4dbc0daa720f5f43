package dev.muster.multicluster.identity;

import dev.muster.multicluster.rules.PropertyRules;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.Optional;

/**
 * What a cluster asked its hub for, as its ClusterSetMembership says. It outlives the properties,
 * which go with their definition.
 */
final class RecordedClaim {
  /** Said in full: there may be no such definition yet, in which the client would look it up. */
  private static final ResourceDefinitionContext MEMBERSHIPS =
      new ResourceDefinitionContext.Builder()
          .withGroup("clusterset.muster.dev")
          .withVersion("v1alpha1")
          .withKind("ClusterSetMembership")
          .withPlural("clustersetmemberships")
          .withNamespaced(false)
          .build();

  private static final int FORBIDDEN = 403;
  private static final int NOT_FOUND = 404;

  private RecordedClaim() {}

  /** Nothing where the caller may not look. */
  static Optional<PropertyRules.ClaimedId> of(KubernetesClient client) {
    try {
      var membership = client.genericKubernetesResources(MEMBERSHIPS).withName("membership").get();
      if (membership == null) {
        return Optional.empty();
      }
      String set = membership.get("status", "claim", "clusterSet");
      String id = membership.get("status", "claim", "clusterId");
      return set == null || id == null
          ? Optional.empty()
          : Optional.of(new PropertyRules.ClaimedId(set, id));
    } catch (KubernetesClientException e) {
      if (e.getCode() == FORBIDDEN || e.getCode() == NOT_FOUND) {
        return Optional.empty();
      }
      throw e;
    }
  }
}
