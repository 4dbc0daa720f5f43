package dev.muster.multicluster.membership;

import dev.muster.multicluster.identity.ClusterProperties;
import dev.muster.multicluster.rules.WellKnownProperties;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The member cluster through the API. Thread-safe. Blocks the caller. */
public record MemberApi(KubernetesClient client) implements MemberCluster {
  @Override
  public Optional<MembershipState.Target> wanted() {
    return found()
        .filter(membership -> !membership.isLeaving() && membership.getSpec() != null)
        .map(ClusterSetMembership::getSpec)
        .map(spec -> new MembershipState.Target(spec.clusterSet(), spec.hubSecret()));
  }

  @Override
  public Optional<String> id() {
    return properties().clusterId();
  }

  @Override
  public Optional<String> mirror() {
    return properties().clusterSet();
  }

  @Override
  public Optional<Claim> recorded() {
    return found().flatMap(ClusterSetMembership::claim);
  }

  @Override
  public void record(Claim claim) {
    write(claim);
  }

  /** Removes the recorded claim; an object that waits for nothing else disappears with it. */
  @Override
  public void forget() {
    write(null);
    finish();
  }

  @Override
  public void restoreId(Claim claim) {
    properties().create(WellKnownProperties.CLUSTER_ID, claim.clusterId());
  }

  @Override
  public void mirror(Claim claim) {
    properties().create(WellKnownProperties.CLUSTER_SET, claim.clusterSet());
  }

  @Override
  public void removeMirror() {
    properties().delete(WellKnownProperties.CLUSTER_SET);
  }

  /** Removes the finalizer of a deleted membership with nothing left to do. */
  public void finish() {
    var membership = found();
    if (membership.isPresent()
        && membership.get().isLeaving()
        && membership.get().claim().isEmpty()) {
      membership.get().getMetadata().setFinalizers(List.of());
      client.resource(membership.get()).update();
    }
  }

  /** Reports the state for users; nothing depends on it. */
  void report(String phase, String message) {
    found()
        .ifPresent(
            membership -> {
              var status =
                  new ClusterSetMembership.Status(
                      phase, message.isEmpty() ? null : message, membership.claim().orElse(null));
              if (!status.equals(membership.getStatus())) {
                membership.setStatus(status);
                client.resource(membership).updateStatus();
              }
            });
  }

  Optional<ClusterSetMembership> found() {
    return Optional.ofNullable(resource().get());
  }

  private Resource<ClusterSetMembership> resource() {
    return client.resources(ClusterSetMembership.class).withName(ClusterSetMembership.NAME);
  }

  private void write(@Nullable Claim claim) {
    var membership = found().orElseThrow();
    var status = membership.getStatus();
    membership.setStatus(
        new ClusterSetMembership.Status(
            status == null ? null : status.phase(),
            status == null ? null : status.message(),
            claim));
    client.resource(membership).updateStatus();
  }

  private ClusterProperties properties() {
    return new ClusterProperties(client);
  }
}
