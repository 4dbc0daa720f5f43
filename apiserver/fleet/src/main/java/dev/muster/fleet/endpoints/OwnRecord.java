package dev.muster.fleet.endpoints;

import dev.muster.fleet.endpoints.form.Endpoint;
import dev.muster.fleet.endpoints.form.FleetMember;
import java.time.Duration;
import java.util.List;

/**
 * The endpoint record of this server.
 *
 * @param id unique to this process
 * @param addresses at which it is reached, the primary family first
 * @param place identifies its sockets, so that earlier servers with the same sockets are known to
 *     be gone; "" when it is unknown
 * @param duration after which the record expires when it is not renewed
 */
record OwnRecord(String id, String place, List<String> addresses, int port, Duration duration) {
  OwnRecord {
    addresses = List.copyOf(addresses);
  }

  List<Endpoint> endpoints() {
    return addresses.stream().map(address -> new Endpoint(address, port)).toList();
  }

  FleetMember member(FleetMember.Source source) {
    return new FleetMember(id, addresses, port, source);
  }
}
