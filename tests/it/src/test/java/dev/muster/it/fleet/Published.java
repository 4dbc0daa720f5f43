package dev.muster.it.fleet;

import dev.muster.model.json.JsonObject;
import dev.muster.wire.JsonReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a server shows of the {@code kubernetes} Service.
 *
 * @param versions of all its objects: the same as long as nothing changes
 */
record Published(
    List<String> clusterIps,
    TreeSet<String> endpoints,
    TreeMap<String, List<String>> slices,
    String versions) {

  /** Asks a server from the hub; empty when it does not answer. */
  static Optional<Published> by(NetworkLab lab, LabServer server) {
    var base = "https://" + server.four + ":6443";
    var output =
        lab.on(
            NetworkLab.HUB,
            "curl",
            "-sk",
            "-m",
            "5",
            "-H",
            "authorization: Bearer " + FleetApi.TOKEN,
            "-w",
            "\n@@@\n",
            base + "/api/v1/namespaces/default/services/kubernetes",
            base + "/api/v1/namespaces/default/endpoints/kubernetes",
            base + "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices");
    var parts = output.text().split("\n@@@\n");
    if (output.code() != 0 || parts.length < 3) {
      return Optional.empty();
    }
    var service = read(parts[0]);
    var endpoints = read(parts[1]);
    var list = read(parts[2]);
    if (!service.string("kind").equals("Service")
        || !endpoints.string("kind").equals("Endpoints")
        || !list.string("kind").equals("EndpointSliceList")) {
      return Optional.empty();
    }
    var addresses = new TreeSet<String>();
    for (var subset : endpoints.array("subsets").objects()) {
      subset.array("addresses").objects().forEach(one -> addresses.add(one.string("ip")));
    }
    var versions = new ArrayList<String>();
    versions.add(version(service));
    versions.add(version(endpoints));
    var slices = new TreeMap<String, List<String>>();
    for (var slice : list.array("items").objects()) {
      var shown = new TreeSet<String>();
      slice
          .array("endpoints")
          .objects()
          .forEach(endpoint -> shown.addAll(endpoint.array("addresses").strings()));
      slices.put(slice.object("metadata").string("name"), List.copyOf(shown));
      versions.add(version(slice));
    }
    return Optional.of(
        new Published(
            service.object("spec").array("clusterIPs").strings(),
            addresses,
            slices,
            versions.toString()));
  }

  private static String version(JsonObject object) {
    return object.object("metadata").string("name")
        + "@"
        + object.object("metadata").string("resourceVersion");
  }

  private static JsonObject read(String text) {
    try {
      return JsonReader.read(text.getBytes(StandardCharsets.UTF_8)) instanceof JsonObject object
          ? object
          : JsonObject.EMPTY;
    } catch (RuntimeException e) {
      return JsonObject.EMPTY;
    }
  }
}
