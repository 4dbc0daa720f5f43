package dev.muster.fleet.endpoints.form;

import java.util.List;

/**
 * A server of the fleet as its record shows it.
 *
 * @param addresses in their canonical form, at most one of each family
 * @param port 0 when the record does not say, as those of kube-apiserver do not
 */
public record FleetMember(String id, List<String> addresses, int port, Source source) {
  /** Where the record stands. */
  public enum Source {
    /** A record of ours. */
    LEASE,
    /** A record of kube-apiserver: an address alone. */
    MASTER_LEASE,
    /** An entry of the ConfigMap: one address and a port. */
    CONFIGMAP,
    /** No record that counts, but published: one address and a port. */
    PUBLISHED
  }

  public FleetMember {
    addresses = List.copyOf(addresses);
  }

  /** A server of which nothing but its place among the published ones is known. */
  public static FleetMember published(Endpoint endpoint) {
    return new FleetMember(
        endpoint.toString(), List.of(endpoint.address()), endpoint.port(), Source.PUBLISHED);
  }

  public FleetMember withPort(int other) {
    return new FleetMember(id, addresses, other, source);
  }

  public List<Endpoint> endpoints() {
    return addresses.stream().map(address -> new Endpoint(address, port)).toList();
  }
}
