package dev.muster.fleet;

import dev.muster.fleet.identity.IdentityOptions;

/** Everything that an operator can set for a server's membership of its fleet. */
public record FleetOptions(IdentityOptions identity) {
  public static FleetOptions defaults() {
    return new FleetOptions(IdentityOptions.defaults());
  }
}
