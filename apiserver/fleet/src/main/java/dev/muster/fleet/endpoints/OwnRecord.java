package dev.muster.fleet.endpoints;

import dev.muster.fleet.endpoints.form.Endpoint;
import dev.muster.fleet.endpoints.form.FleetMember;
import java.time.Duration;
import java.util.List;

/**
 * What a server says of itself in its record.
 *
 * @param id unique to this process
 * @param addresses under which it is reached, the primary family first
 * @param place the sockets that it holds, so that whoever had them before is known to be gone; ""
 *     when that cannot be told
 * @param duration after which its record is gone when it is not renewed
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
