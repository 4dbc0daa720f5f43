package dev.muster.multicluster.membership;

import java.util.Optional;

/** A read-only view of a member cluster in which no membership is wanted. */
record LeavingMember(MemberCluster cluster) implements MemberCluster {
  @Override
  public Optional<MembershipState.Target> wanted() {
    return Optional.empty();
  }

  @Override
  public Optional<String> id() {
    return cluster.id();
  }

  @Override
  public Optional<String> mirror() {
    return cluster.mirror();
  }

  @Override
  public Optional<Claim> recorded() {
    return cluster.recorded();
  }

  @Override
  public void record(Claim claim) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void forget() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void restoreId(Claim claim) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void mirror(Claim claim) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void removeMirror() {
    throw new UnsupportedOperationException();
  }
}
