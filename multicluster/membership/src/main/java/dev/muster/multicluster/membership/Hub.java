package dev.muster.multicluster.membership;

import java.util.Optional;

/**
 * The hub's operations on claims. The outcome of a failed call is unknown; the caller reads the
 * state again.
 */
public interface Hub {
  ClaimState check(Claim claim);

  /** The hub's identity; empty if the hub does not permit to read it. */
  Optional<HubIdentity> identity();

  /** Creates the claim, unless the ID is taken in that set. */
  void make(Claim claim);

  void mark(Claim claim, Phase phase);

  /** Releases the ID if this cluster holds it. */
  void release(Claim claim);
}
