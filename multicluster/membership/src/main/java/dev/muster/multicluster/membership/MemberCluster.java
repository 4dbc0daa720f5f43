package dev.muster.multicluster.membership;

import java.util.Optional;

/** The member cluster's side of its membership. */
public interface MemberCluster {
  Optional<MembershipState.Target> wanted();

  Optional<String> id();

  Optional<String> mirror();

  Optional<Claim> recorded();

  void record(Claim claim);

  void forget();

  /** Sets the claimed ID; fails if the cluster has one. */
  void restoreId(Claim claim);

  /** Sets the property {@code clusterset.k8s.io}; fails if it exists. */
  void mirror(Claim claim);

  void removeMirror();
}
