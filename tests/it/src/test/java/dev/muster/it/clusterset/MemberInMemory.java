package dev.muster.it.clusterset;

import dev.muster.multicluster.membership.Claim;
import dev.muster.multicluster.membership.MemberCluster;
import dev.muster.multicluster.membership.MembershipState;
import java.util.Optional;

/** Used by one thread. A cluster that is nothing but its membership, where twenty are needed. */
final class MemberInMemory implements MemberCluster {
  private final MembershipState.Target wanted;
  private final String id;
  private Optional<Claim> recorded = Optional.empty();
  private Optional<String> mirror = Optional.empty();

  MemberInMemory(String clusterSet, String id) {
    this.wanted = new MembershipState.Target(clusterSet, "hub");
    this.id = id;
  }

  @Override
  public Optional<MembershipState.Target> wanted() {
    return Optional.of(wanted);
  }

  @Override
  public Optional<String> id() {
    return Optional.of(id);
  }

  @Override
  public Optional<String> mirror() {
    return mirror;
  }

  @Override
  public Optional<Claim> recorded() {
    return recorded;
  }

  @Override
  public void record(Claim claim) {
    recorded = Optional.of(claim);
  }

  @Override
  public void forget() {
    recorded = Optional.empty();
  }

  @Override
  public void restoreId(Claim claim) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void mirror(Claim claim) {
    mirror = Optional.of(claim.clusterSet());
  }

  @Override
  public void removeMirror() {
    mirror = Optional.empty();
  }
}
