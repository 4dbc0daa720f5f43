package dev.muster.multicluster.membership;

import java.util.Optional;

/** What a cluster knows and shows of its own membership. */
public interface MemberCluster {
  Optional<MembershipState.Target> wanted();

  Optional<String> id();

  Optional<String> mirror();

  Optional<Claim> recorded();

  void record(Claim claim);

  void forget();

  /** Gives the cluster the claimed ID; fails if it has one. */
  void restoreId(Claim claim);

  /** Shows the membership; fails if the cluster shows one already. */
  void mirror(Claim claim);

  void removeMirror();
}
