package dev.muster.fleet;

import dev.muster.fleet.discovery.DiscoveryHashOptions;
import dev.muster.fleet.endpoints.EndpointOptions;
import dev.muster.fleet.identity.IdentityOptions;

/** Everything that an operator can set for a server's membership of its fleet. */
public record FleetOptions(
    IdentityOptions identity, DiscoveryHashOptions discovery, EndpointOptions endpoints) {
  public static FleetOptions defaults() {
    return new FleetOptions(
        IdentityOptions.defaults(), DiscoveryHashOptions.defaults(), EndpointOptions.defaults());
  }
}
