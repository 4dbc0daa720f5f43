package dev.muster.fleet;

import dev.muster.fleet.discovery.DiscoveryHashOptions;
import dev.muster.fleet.endpoints.EndpointOptions;
import dev.muster.fleet.identity.IdentityOptions;
import dev.muster.fleet.peers.PeerOptions;

/** All options for a server's membership of its fleet. */
public record FleetOptions(
    IdentityOptions identity,
    DiscoveryHashOptions discovery,
    EndpointOptions endpoints,
    PeerOptions peers) {
  public static FleetOptions defaults() {
    return new FleetOptions(
        IdentityOptions.defaults(),
        DiscoveryHashOptions.defaults(),
        EndpointOptions.defaults(),
        PeerOptions.defaults());
  }
}
