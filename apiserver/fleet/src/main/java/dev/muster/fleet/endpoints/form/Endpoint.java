package dev.muster.fleet.endpoints.form;

import dev.muster.model.json.JsonObject;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The address and port of a server in Endpoints and EndpointSlices. */
public record Endpoint(String address, int port) {
  public AddressFamily family() {
    return AddressFamily.of(address);
  }

  @Override
  public String toString() {
    return DesiredEndpoints.hostAndPort(address, port);
  }

  /** The endpoints in an Endpoints object. */
  public static Set<Endpoint> ofEndpoints(@Nullable JsonObject endpoints) {
    var found = new LinkedHashSet<Endpoint>();
    if (endpoints != null) {
      for (var subset : endpoints.array("subsets").objects()) {
        for (var port : subset.array("ports").objects()) {
          for (var address : subset.array("addresses").objects()) {
            found.add(new Endpoint(address.string("ip"), (int) port.integer("port", 0)));
          }
        }
      }
    }
    return found;
  }

  /** The endpoints in an EndpointSlice. */
  public static Set<Endpoint> ofSlice(JsonObject slice) {
    var found = new LinkedHashSet<Endpoint>();
    for (var port : slice.array("ports").objects()) {
      for (var endpoint : slice.array("endpoints").objects()) {
        for (var address : endpoint.array("addresses").strings()) {
          found.add(new Endpoint(address, (int) port.integer("port", 0)));
        }
      }
    }
    return found;
  }
}
