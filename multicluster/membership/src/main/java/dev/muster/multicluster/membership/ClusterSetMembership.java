package dev.muster.multicluster.membership;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The ClusterSetMembership resource in a member: the ClusterSet to join. There is at most one;
 * deleting it leaves the set.
 */
@Group(ClusterSet.GROUP)
@Version("v1alpha1")
public final class ClusterSetMembership
    extends CustomResource<ClusterSetMembership.Spec, ClusterSetMembership.Status> {
  private static final long serialVersionUID = 1L;

  public static final String NAME = "membership";

  /** Keeps the object until the cluster has left. */
  static final String FINALIZER = "clusterset.muster.dev/leave";

  /** The desired membership. */
  public record Spec(String clusterSet, String hubSecret) {}

  /** The progress, and the claim made in the hub. */
  public record Status(@Nullable String phase, @Nullable String message, @Nullable Claim claim) {}

  public static ClusterSetMembership of(String clusterSet, String hubSecret) {
    var membership = new ClusterSetMembership();
    membership.setMetadata(new ObjectMeta());
    membership.getMetadata().setName(NAME);
    membership.getMetadata().setFinalizers(List.of(FINALIZER));
    membership.setSpec(new Spec(clusterSet, hubSecret));
    return membership;
  }

  boolean isLeaving() {
    return getMetadata().getDeletionTimestamp() != null;
  }

  public Optional<Claim> claim() {
    var status = getStatus();
    return Optional.ofNullable(status == null ? null : status.claim());
  }

  @Override
  protected @Nullable Spec initSpec() {
    return null;
  }

  @Override
  protected @Nullable Status initStatus() {
    return null;
  }
}
