package dev.muster.controllers.endpoints;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Computes the EndpointSlices that mirror user-written Endpoints. Not thread-safe. */
final class MirrorPlan {
  static final String MANAGER = "endpointslicemirroring-controller.k8s.io";
  private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

  /** Endpoints of one family with the same ports. */
  private record Group(EndpointFamily family, JsonArray ports, List<JsonObject> endpoints) {}

  private final JsonObject endpoints;
  private final int most;
  private int invalid;
  private int skipped;

  MirrorPlan(JsonObject endpoints, int most) {
    this.endpoints = endpoints;
    this.most = most;
  }

  /** The number of invalid addresses. */
  int invalid() {
    return invalid;
  }

  /** The number of addresses beyond the limit. */
  int skipped() {
    return skipped;
  }

  SliceChanges changes(List<JsonObject> slices) {
    var uid = endpoints.object("metadata").string("uid");
    var changes = new SliceChanges();
    var existing = new LinkedHashMap<String, List<JsonObject>>();
    for (var slice : slices) {
      if (SliceChanges.isOwnedBy(slice, uid)) {
        var key = slice.string("addressType") + "-" + SlicePorts.key(slice.array("ports"));
        existing.computeIfAbsent(key, name -> new ArrayList<>()).add(slice);
      } else {
        changes.delete().add(slice);
      }
    }
    var groups = groups();
    groups.forEach(
        (key, group) ->
            new SlicePacking(template(group), most)
                .pack(existing.getOrDefault(key, List.of()), group.endpoints(), changes));
    existing.forEach(
        (key, old) -> {
          if (!groups.containsKey(key)) {
            changes.delete().addAll(old);
          }
        });
    changes.reuse(uid);
    return changes;
  }

  private Map<String, Group> groups() {
    var groups = new LinkedHashMap<String, Group>();
    for (var subset : Subsets.of(endpoints.array("subsets")).packed().objects()) {
      var ports = ports(subset.array("ports"));
      int[] left = {most};
      subset.array("addresses").objects().forEach(one -> add(groups, ports, one, true, left));
      subset
          .array("notReadyAddresses")
          .objects()
          .forEach(one -> add(groups, ports, one, false, left));
    }
    return groups;
  }

  private void add(
      Map<String, Group> groups, JsonArray ports, JsonObject address, boolean ready, int[] left) {
    var family = EndpointFamily.of(address.string("ip"));
    if (left[0] == 0) {
      skipped++;
    } else if (family == null) {
      invalid++;
    } else {
      left[0]--;
      groups
          .computeIfAbsent(
              family.type() + "-" + SlicePorts.key(ports),
              key -> new Group(family, ports, new ArrayList<>()))
          .endpoints()
          .add(endpoint(address, ready));
    }
  }

  private static JsonObject endpoint(JsonObject address, boolean ready) {
    return JsonObject.builder()
        .put("addresses", JsonArray.of(Json.of(EndpointFamily.canonical(address.string("ip")))))
        .put("conditions", JsonObject.of("ready", ready))
        .putIf("hostname", address.string("hostname"))
        .putIf("targetRef", address.get("targetRef"))
        .putIf("nodeName", address.string("nodeName"))
        .build();
  }

  private static JsonArray ports(JsonArray ports) {
    var named = new ArrayList<Json>();
    for (var port : ports.objects()) {
      named.add(
          JsonObject.builder()
              .put("name", port.string("name"))
              .put("protocol", SlicePorts.protocol(port))
              .put("port", port.integer("port", 0))
              .putIf("appProtocol", port.string("appProtocol"))
              .build());
    }
    return JsonArray.of(named);
  }

  private JsonObject template(Group group) {
    var metadata = endpoints.object("metadata");
    var name = metadata.string("name");
    var labels = new LinkedHashMap<>(metadata.object("labels").strings());
    labels.put(SlicePlan.SERVICE_NAME, name);
    labels.put(SlicePlan.MANAGED_BY, MANAGER);
    return JsonObject.of(
        "apiVersion",
        SlicePlan.API_VERSION,
        "kind",
        "EndpointSlice",
        "metadata",
        JsonObject.of(
            "generateName",
            name.length() < 253 ? name + "-" : name,
            "namespace",
            metadata.string("namespace"),
            "labels",
            JsonObject.ofStrings(labels),
            "annotations",
            metadata.object("annotations").without(TriggerTimes.ANNOTATION).without(LAST_APPLIED),
            "ownerReferences",
            JsonArray.of(SlicePlan.owner(endpoints, "v1", "Endpoints"))),
        "addressType",
        group.family().type(),
        "endpoints",
        JsonArray.EMPTY,
        "ports",
        Objects.requireNonNull(group.ports()));
  }
}
