package dev.muster.multicluster.identity;

import dev.muster.multicluster.rules.PropertyRules;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.Optional;

/**
 * Reads the claim that the cluster's ClusterSetMembership records. It outlives the cluster
 * properties, which are deleted with their definition.
 */
final class RecordedClaim {
  /**
   * Spelled out, because the client could not look the resource up while its definition is missing.
   */
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

  /** Empty if the caller may not read it. */
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
