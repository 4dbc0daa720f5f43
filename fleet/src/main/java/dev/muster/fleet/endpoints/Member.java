package dev.muster.fleet.endpoints;

import java.util.List;

/**
 * A server of the fleet as its record shows it.
 *
 * @param addresses in their canonical form, at most one of each family
 * @param port 0 when the record does not say, as those of kube-apiserver do not
 */
record Member(String id, List<String> addresses, int port, Source source) {
  /** Where the record stands. */
  enum Source {
    /** A record of ours. */
    LEASE,
    /** A record of kube-apiserver: an address alone. */
    MASTER_LEASE,
    /** An entry of the ConfigMap: one address and a port. */
    CONFIGMAP
  }

  Member {
    addresses = List.copyOf(addresses);
  }

  boolean dualStack() {
    return addresses.stream().map(Family::of).distinct().count() == 2;
  }
}
