package dev.muster.fleet;

import dev.muster.fleet.discovery.DiscoveryExtension;
import dev.muster.fleet.endpoints.EndpointReconciler;
import dev.muster.fleet.identity.IdentityExtension;
import dev.muster.fleet.identity.ServerIdentity;
import dev.muster.fleet.peers.PeerExtension;
import dev.muster.fleet.storageversions.StorageVersionsExtension;
import dev.muster.server.ServerExtension;
import java.util.List;

/** Creates the extensions that make a server a member of its fleet. */
public final class Fleet {
  private Fleet() {}

  /** The extensions of one server, in the order in which they start. */
  public static List<ServerExtension> extensions(FleetOptions options) {
    var identity = ServerIdentity.create();
    var discovery = new DiscoveryExtension(options.discovery(), options.identity(), identity);
    var peers = new PeerExtension(options.peers(), options.identity(), identity);
    return List.of(
        discovery,
        peers,
        new IdentityExtension(
            options.identity(),
            identity,
            discovery::beforeLease,
            discovery::hash,
            peers::advertised),
        new StorageVersionsExtension(identity, options.identity().namespace()),
        new EndpointReconciler(
            options.endpoints(), options.identity(), () -> identity.id().toString()));
  }
}
