package dev.muster.multicluster.membership;

import dev.muster.controllers.client.RequestFailure;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The hub through the API, with one cluster's credentials. Thread-safe. Blocks the caller.
 *
 * @param clusterUid of the cluster that makes claims
 * @param which supplies the hub's identity
 */
public record HubApi(
    KubernetesClient client, String clusterUid, Supplier<Optional<HubIdentity>> which)
    implements Hub {
  private static final int UNAUTHORIZED = 401;
  private static final int FORBIDDEN = 403;
  private static final int NOT_FOUND = 404;
  private static final int CONFLICT = 409;

  public HubApi(KubernetesClient client, String clusterUid) {
    this(client, clusterUid, () -> HubIdentity.of(client));
  }

  @Override
  public Optional<HubIdentity> identity() {
    return named(which);
  }

  @Override
  public ClaimState check(Claim claim) {
    ClusterSetMember found;
    try {
      found = named(() -> resource(claim).get());
    } catch (KubernetesClientException e) {
      if (e.getCode() == UNAUTHORIZED || e.getCode() == FORBIDDEN) {
        return new ClaimState.Barred();
      }
      throw e;
    }
    if (found == null) {
      return new ClaimState.Absent();
    }
    return found.clusterUid().equals(clusterUid)
        ? new ClaimState.Ours(found.phase())
        : new ClaimState.Theirs(found.clusterUid());
  }

  @Override
  public void make(Claim claim) {
    try {
      var _ = named(() -> client.resource(ClusterSetMember.of(claim, clusterUid)).create());
    } catch (KubernetesClientException e) {
      switch (e.getCode()) {
        case CONFLICT -> {}
        case NOT_FOUND ->
            throw new RefusedByHub(
                "The hub has no ClusterSet \"%s\": create it with muster clusterset create %1$s."
                    .formatted(claim.clusterSet()));
        case FORBIDDEN ->
            throw new RefusedByHub(
                "The hub does not let this cluster into the ClusterSet \"%s\": use muster clusterset join with credentials that may create clustersetmembers there."
                    .formatted(claim.clusterSet()));
        default -> throw e;
      }
    }
  }

  @Override
  public void mark(Claim claim, Phase phase) {
    var found = named(() -> resource(claim).get());
    if (found != null && found.clusterUid().equals(clusterUid)) {
      found.setStatus(new ClusterSetMember.Status(phase.text()));
      var _ = named(() -> client.resource(found).updateStatus());
    }
  }

  /** Deletes exactly the version that was read, because a later claim may be another cluster's. */
  @Override
  public void release(Claim claim) {
    var found = named(() -> resource(claim).get());
    if (found != null && found.clusterUid().equals(clusterUid)) {
      var version = found.getMetadata().getResourceVersion();
      var _ = named(() -> client.resource(found).lockResourceVersion(version).delete());
    }
  }

  private <T> T named(Supplier<T> requests) {
    return RequestFailure.naming("the hub", client, requests);
  }

  private Resource<ClusterSetMember> resource(Claim claim) {
    return client
        .resources(ClusterSetMember.class)
        .inNamespace(ClusterSet.namespace(claim.clusterSet()))
        .withName(claim.clusterId());
  }
}
