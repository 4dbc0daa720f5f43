package dev.muster.fleet.endpoints.form;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The wanted Endpoints of the {@code kubernetes} Service, exactly as kube-apiserver writes them,
 * and the write that creates them.
 */
public final class DesiredEndpoints {
  public static final String NAMESPACE = "default";
  public static final String NAME = "kubernetes";
  static final String PORT_NAME = "https";
  private static final String SKIP_MIRROR = "endpointslice.kubernetes.io/skip-mirror";

  private DesiredEndpoints() {}

  /** The write for the Endpoints object, or null. */
  public static @Nullable PlannedWrite endpoints(
      @Nullable JsonObject present, PublishedServers wanted) {
    return endpoints(present, subsets(wanted.endpoints()));
  }

  public static @Nullable PlannedWrite endpoints(@Nullable JsonObject present, JsonArray subsets) {
    if (present == null) {
      var made =
          JsonObject.of(
              "kind",
              "Endpoints",
              "apiVersion",
              "v1",
              "metadata",
              JsonObject.of(
                  "name",
                  NAME,
                  "namespace",
                  NAMESPACE,
                  "labels",
                  JsonObject.of(SKIP_MIRROR, "true")));
      return new PlannedWrite.Create(
          PlannedWrite.Kind.ENDPOINTS,
          made.with("subsets", subsets),
          "EndpointsCreated",
          "made with " + shown(subsets));
    }
    boolean labelled = present.object("metadata", "labels").string(SKIP_MIRROR).equals("true");
    if (labelled && present.array("subsets").equals(subsets)) {
      return null;
    }
    var changed = present.withAt(Json.of("true"), "metadata", "labels", SKIP_MIRROR);
    changed = subsets.isEmpty() ? changed.without("subsets") : changed.with("subsets", subsets);
    var before = addresses(present.array("subsets"));
    boolean moved = !before.equals(addresses(subsets));
    return new PlannedWrite.Update(
        PlannedWrite.Kind.ENDPOINTS,
        changed,
        moved ? "EndpointsChanged" : "EndpointsRepaired",
        (moved ? "changed" : "repaired")
            + " from "
            + shown(present.array("subsets"))
            + " to "
            + shown(subsets));
  }

  public static JsonArray subsets(List<PublishedServers.Group> groups) {
    return JsonArray.of(groups.stream().map(DesiredEndpoints::subset).toList());
  }

  public static JsonObject subset(PublishedServers.Group group) {
    return JsonObject.of(
        "addresses",
        JsonArray.of(group.addresses().stream().map(ip -> JsonObject.of("ip", ip)).toList()),
        "ports",
        JsonArray.of(port(group.port())));
  }

  static JsonObject port(int port) {
    return JsonObject.of("name", PORT_NAME, "port", port, "protocol", "TCP");
  }

  /** Addresses by port, sorted for comparison. */
  private static Map<Long, List<String>> addresses(JsonArray subsets) {
    Map<Long, List<String>> found = new HashMap<>();
    for (var subset : subsets.objects()) {
      for (var port : subset.array("ports").objects()) {
        found
            .computeIfAbsent(port.integer("port", 0), _ -> new ArrayList<>())
            .addAll(
                subset.array("addresses").objects().stream()
                    .map(address -> address.string("ip"))
                    .sorted()
                    .toList());
      }
    }
    return found;
  }

  private static String shown(JsonArray subsets) {
    var texts = new ArrayList<String>();
    for (var subset : subsets.objects()) {
      long port = 0;
      for (var each : subset.array("ports").objects()) {
        port = each.integer("port", 0);
      }
      for (var address : subset.array("addresses").objects()) {
        texts.add(hostAndPort(address.string("ip"), port));
      }
    }
    return texts.isEmpty() ? "no servers" : String.join(", ", texts);
  }

  public static String hostAndPort(String address, long port) {
    return (AddressFamily.of(address) == AddressFamily.IPV6 ? "[" + address + "]" : address)
        + ":"
        + port;
  }
}
