package dev.muster.fleet.endpoints;

import dev.muster.fleet.endpoints.form.AddressFamily;
import dev.muster.fleet.endpoints.form.DesiredEndpoints;
import dev.muster.fleet.endpoints.form.FleetMember;
import dev.muster.fleet.endpoints.form.PublishedServers;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The deprecated reconciler {@code master-count}, for which the Endpoints object itself is the list
 * of servers. Each server adds its own address. When there are more than configured, it drops the
 * addresses after its own, in sorted order and wrapping around. As in kube-apiserver, a dead server
 * stays while there are fewer, and the servers replace one another when the number is too low.
 */
final class MasterCount {
  private MasterCount() {}

  /** The subsets that this server writes. */
  static JsonArray subsets(@Nullable JsonObject endpoints, String own, int port, int count) {
    var present = endpoints == null ? JsonArray.EMPTY : endpoints.array("subsets");
    if (present.size() != 1) {
      return subsets(List.of(own), port);
    }
    var addresses = addresses(present);
    if (!addresses.contains(own) || addresses.size() > count) {
      var sorted = new TreeSet<>(addresses);
      sorted.add(own);
      addresses = new ArrayList<>(sorted);
      int position = addresses.indexOf(own);
      while (addresses.size() > count) {
        int dropped = (position + 1) % addresses.size();
        addresses.remove(dropped);
      }
    } else {
      Collections.sort(addresses);
    }
    return subsets(addresses, port);
  }

  /** The subsets without this server. */
  static JsonArray without(@Nullable JsonObject endpoints, String own) {
    var present = endpoints == null ? JsonArray.EMPTY : endpoints.array("subsets");
    var left = new ArrayList<JsonObject>();
    for (var subset : present.objects()) {
      var addresses =
          subset.array("addresses").objects().stream()
              .filter(address -> !address.string("ip").equals(own))
              .toList();
      if (!addresses.isEmpty()) {
        left.add(subset.with("addresses", JsonArray.of(addresses)));
      }
    }
    return JsonArray.of(left);
  }

  /** The content of the Endpoints object, in the form from which slices are built. */
  static PublishedServers published(JsonArray subsets, AddressFamily family, int port) {
    var members = new ArrayList<FleetMember>();
    for (var subset : subsets.objects()) {
      int each = port;
      for (var one : subset.array("ports").objects()) {
        each = (int) one.integer("port", port);
      }
      for (var address : addresses(JsonArray.of(subset))) {
        members.add(new FleetMember(address, List.of(address), each, FleetMember.Source.LEASE));
      }
    }
    return PublishedServers.of(members, family, port);
  }

  private static List<String> addresses(JsonArray subsets) {
    var found = new ArrayList<String>();
    for (var subset : subsets.objects()) {
      for (var address : subset.array("addresses").objects()) {
        found.add(address.string("ip"));
      }
    }
    return found;
  }

  private static JsonArray subsets(List<String> addresses, int port) {
    return DesiredEndpoints.subsets(
        List.of(new PublishedServers.Group(port, List.copyOf(addresses))));
  }
}
