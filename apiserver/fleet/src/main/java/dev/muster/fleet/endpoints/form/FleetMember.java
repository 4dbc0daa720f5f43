package dev.muster.fleet.endpoints.form;

import java.util.List;

/**
 * A server of the fleet as its endpoint record shows it.
 *
 * @param addresses in canonical form, at most one of each family
 * @param port 0 when the record states none, like those of kube-apiserver
 */
public record FleetMember(String id, List<String> addresses, int port, Source source) {
  /** The kind of record. */
  public enum Source {
    /** A record of Muster. */
    LEASE,
    /** A record of kube-apiserver: an address only. */
    MASTER_LEASE,
    /** An entry of the ConfigMap: one address and a port. */
    CONFIGMAP,
    /** No valid record, but published: one address and a port. */
    PUBLISHED
  }

  public FleetMember {
    addresses = List.copyOf(addresses);
  }

  /** A server of which only its published endpoint is known. */
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
