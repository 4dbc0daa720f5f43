package dev.muster.multicluster.membership;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import org.jspecify.annotations.Nullable;

/**
 * The ClusterSetMember resource in the hub: a cluster's claim to an ID. Its namespace is the set's,
 * its name the ID.
 */
@Group(ClusterSet.GROUP)
@Version("v1alpha1")
public final class ClusterSetMember
    extends CustomResource<ClusterSetMember.Spec, ClusterSetMember.Status> implements Namespaced {
  private static final long serialVersionUID = 1L;

  /** The UID of the cluster that holds the ID. */
  public record Spec(String clusterUid) {}

  /** The phase of the claim. */
  public record Status(@Nullable String phase) {}

  static ClusterSetMember of(Claim claim, String clusterUid) {
    var member = new ClusterSetMember();
    member.setMetadata(new ObjectMeta());
    member.getMetadata().setNamespace(ClusterSet.namespace(claim.clusterSet()));
    member.getMetadata().setName(claim.clusterId());
    member.setSpec(new Spec(clusterUid));
    return member;
  }

  public String clusterUid() {
    return getSpec() == null ? "" : getSpec().clusterUid();
  }

  public Phase phase() {
    var status = getStatus();
    var text = status == null ? null : status.phase();
    return Phase.of(text == null ? "" : text);
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
