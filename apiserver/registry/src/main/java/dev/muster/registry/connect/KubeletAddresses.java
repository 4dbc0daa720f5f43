package dev.muster.registry.connect;

import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import java.util.List;

/**
 * Chooses the node address at which a kubelet is reached.
 *
 * @param types address types, most preferred first
 * @param port the port of kubelets whose node declares none
 */
public record KubeletAddresses(List<String> types, int port) {
  public KubeletAddresses {
    types = List.copyOf(types);
  }

  Destination of(JsonObject node) {
    var status = node.object("status");
    long named = status.object("daemonEndpoints", "kubeletEndpoint").integer("Port", 0);
    return new Destination(
        Destination.Backend.KUBELET,
        true,
        address(status.array("addresses")),
        named > 0 ? (int) Math.min(named, Integer.MAX_VALUE) : port,
        "",
        "");
  }

  private String address(JsonArray addresses) {
    for (var type : types) {
      for (var address : addresses.objects()) {
        if (address.string("type").equals(type)) {
          return address.string("address");
        }
      }
    }
    var known =
        addresses.objects().stream()
            .map(one -> "{" + one.string("type") + " " + one.string("address") + "}")
            .toList();
    throw new ApiException(
        Reason.UNKNOWN,
        "no preferred addresses found; known addresses: [" + String.join(" ", known) + "]");
  }
}
