package dev.muster.multicluster.membership;

import java.util.Optional;

/**
 * Where claims are kept. Every call either has happened or has not when it fails; whoever calls
 * looks again.
 */
public interface Hub {
  ClaimState check(Claim claim);

  /** Which hub it is; nothing where it does not say. */
  Optional<HubIdentity> identity();

  /** Makes the claim unless somebody has one to the same ID in the same set. */
  void make(Claim claim);

  void mark(Claim claim, Phase phase);

  /** Gives the ID back if it is this cluster's. */
  void release(Claim claim);
}
