package dev.muster.fleet.endpoints;

import dev.muster.fleet.endpoints.form.AddressFamily;
import dev.muster.fleet.endpoints.form.DesiredEndpointSlices;
import dev.muster.fleet.endpoints.form.PlannedWrite;
import dev.muster.fleet.endpoints.form.PublishedServers;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.schema.protobuf.ProtobufCodec;
import dev.muster.store.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A kube-apiserver of before dual-stack, as far as its peers can see it: a record without a port, a
 * Service that it forces to one family when it starts, one Endpoints object and one slice that it
 * compares with the records every ten seconds.
 */
final class OldServer {
  private static final Duration INTERVAL = Duration.ofSeconds(10);
  private static final Duration DURATION = Duration.ofSeconds(15);

  final String address;
  final int port;
  private final World world;
  private final Duration born;
  private Duration next;
  private long generation;
  private boolean forced;
  private boolean stopping;

  OldServer(World world, String address, int port) {
    this.world = world;
    this.address = address;
    this.port = port;
    this.born = world.now();
    this.next = born;
    world.commit(List.of(new Operation.Delete(key(), Operation.ANY)));
  }

  private String key() {
    return LeaseRecords.MASTER + address;
  }

  /** Whether it has been able to act for a while. */
  boolean isWell() {
    return world.now().minus(born).compareTo(Duration.ofSeconds(1)) > 0;
  }

  void tick() {
    if (world.now().compareTo(next) < 0 || world.isFrozen()) {
      return;
    }
    next = world.now().plus(INTERVAL);
    try {
      if (!forced) {
        forceService();
        forced = true;
      }
      world.commit(
          List.of(
              new Operation.Put(
                  key(), ProtobufCodec.encode(record(++generation)), Operation.ANY, DURATION)));
      reconcile();
    } catch (ApiException e) {
      // somebody was faster: again in ten seconds
    }
  }

  void leave() {
    stopping = true;
    world.commit(List.of(new Operation.Delete(key(), Operation.ANY)));
    reconcile();
  }

  private JsonObject record(long count) {
    return JsonObject.of(
        "kind",
        "Endpoints",
        "apiVersion",
        "v1",
        "metadata",
        JsonObject.of("generation", count),
        "subsets",
        JsonArray.of(JsonObject.of("addresses", JsonArray.of(JsonObject.of("ip", address)))));
  }

  private void forceService() {
    var service = world.service();
    var key = World.key(PlannedWrite.Kind.SERVICE, "kubernetes");
    if (service == null) {
      var first = AddressFamily.of(address) == AddressFamily.IPV4 ? "10.0.0.1" : "fd00::1";
      world.store(
          "old " + address,
          key,
          JsonObject.of(
              "kind",
              "Service",
              "apiVersion",
              "v1",
              "metadata",
              JsonObject.of(
                  "name",
                  "kubernetes",
                  "namespace",
                  "default",
                  "labels",
                  JsonObject.of("component", "apiserver", "provider", "kubernetes")),
              "spec",
              JsonObject.of(
                  "clusterIP",
                  first,
                  "clusterIPs",
                  JsonArray.ofStrings(List.of(first)),
                  "internalTrafficPolicy",
                  "Cluster",
                  "ipFamilies",
                  JsonArray.ofStrings(List.of(AddressFamily.of(address).text())),
                  "ipFamilyPolicy",
                  "SingleStack",
                  "ports",
                  JsonArray.of(
                      JsonObject.of(
                          "name", "https", "port", 443, "protocol", "TCP", "targetPort", port)),
                  "sessionAffinity",
                  "None",
                  "type",
                  "ClusterIP")));
      return;
    }
    var spec = service.object("spec");
    if (spec.array("clusterIPs").size() == 2) {
      var first = spec.string("clusterIP");
      world.store(
          "old " + address,
          key,
          service.with(
              "spec",
              spec.with("ipFamilyPolicy", "SingleStack")
                  .with("ipFamilies", JsonArray.ofStrings(List.of(AddressFamily.of(first).text())))
                  .with("clusterIPs", JsonArray.ofStrings(List.of(first)))));
    }
  }

  /** One subset with the addresses of all records; ports are left alone when there is one. */
  private void reconcile() {
    var listed = new ArrayList<String>();
    for (var entry : world.under(LeaseRecords.MASTER)) {
      var subsets = ProtobufCodec.decode(entry.value()).array("subsets").objects();
      listed.add(subsets.getFirst().array("addresses").object(0).string("ip"));
    }
    if (listed.isEmpty() && !stopping) {
      return;
    }
    var endpoints = world.endpoints();
    var present = endpoints == null ? JsonArray.EMPTY : endpoints.array("subsets");
    boolean format = present.size() == 1;
    var ports =
        format
            ? present.object(0).array("ports")
            : JsonArray.of(JsonObject.of("name", "https", "port", port, "protocol", "TCP"));
    var sorted = new TreeSet<>(listed);
    var now =
        format
            ? new TreeSet<>(
                present.object(0).array("addresses").objects().stream()
                    .map(one -> one.string("ip"))
                    .toList())
            : new TreeSet<String>();
    if (!format || !now.equals(sorted)) {
      var addresses = sorted.stream().map(ip -> JsonObject.of("ip", ip)).toList();
      var subsets =
          addresses.isEmpty()
              ? JsonArray.EMPTY
              : JsonArray.of(JsonObject.of("addresses", JsonArray.of(addresses), "ports", ports));
      endpoints = EndpointsOf.with(endpoints, subsets);
      world.store(
          "old " + address, World.key(PlannedWrite.Kind.ENDPOINTS, "kubernetes"), endpoints);
    }
    slice(endpoints == null ? JsonObject.EMPTY : endpoints);
  }

  private void slice(JsonObject endpoints) {
    var subsets = endpoints.array("subsets");
    var groups = new ArrayList<PublishedServers.Group>();
    for (var subset : subsets.objects().stream().limit(1).toList()) {
      groups.add(
          new PublishedServers.Group(
              (int) subset.array("ports").object(0).integer("port", 0),
              subset.array("addresses").objects().stream().map(one -> one.string("ip")).toList()));
    }
    boolean six =
        !groups.isEmpty()
            && groups.getFirst().addresses().stream()
                .allMatch(ip -> AddressFamily.of(ip) == AddressFamily.IPV6);
    var family = six ? AddressFamily.IPV6 : AddressFamily.IPV4;
    var wanted =
        DesiredEndpointSlices.wanted(
                new PublishedServers(family, groups, List.of(), false, port, false), Set.of())
            .get("kubernetes");
    for (var write :
        DesiredEndpointSlices.writes(
            world.slices().get("kubernetes"), Objects.requireNonNull(wanted))) {
      world.write("old " + address, write);
    }
  }

  /** The Endpoints object with other subsets. */
  private static final class EndpointsOf {
    static JsonObject with(@Nullable JsonObject present, JsonArray subsets) {
      var base =
          present == null
              ? JsonObject.of(
                  "kind",
                  "Endpoints",
                  "apiVersion",
                  "v1",
                  "metadata",
                  JsonObject.of("name", "kubernetes", "namespace", "default"))
              : present;
      return base.with("subsets", subsets)
          .withAt(Json.of("true"), "metadata", "labels", "endpointslice.kubernetes.io/skip-mirror");
    }
  }
}
