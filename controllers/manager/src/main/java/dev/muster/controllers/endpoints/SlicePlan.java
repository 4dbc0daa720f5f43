package dev.muster.controllers.endpoints;

import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Computes the changes that make the EndpointSlices of a service match its pods. Not thread-safe.
 */
final class SlicePlan {
  static final String SERVICE_NAME = "kubernetes.io/service-name";
  static final String MANAGED_BY = "endpointslice.kubernetes.io/managed-by";
  static final String HEADLESS = "service.kubernetes.io/headless";
  static final String MANAGER = "endpointslice-controller.k8s.io";
  static final String API_VERSION = "discovery.k8s.io/v1";

  private final JsonObject service;
  private final String uid;
  private final int most;
  private final Function<String, @Nullable JsonObject> nodes;
  private final ZoneShares shares;
  private final SliceChanges changes = new SliceChanges();
  private final Map<String, String> problems = new LinkedHashMap<>();
  private boolean complete = true;

  /**
   * @param nodes finds a Node by name
   * @param shares of the zones, for a service with proportional hints
   */
  SlicePlan(
      JsonObject service,
      int most,
      Function<String, @Nullable JsonObject> nodes,
      ZoneShares shares) {
    this.service = service;
    this.uid = service.object("metadata").string("uid");
    this.most = most;
    this.nodes = nodes;
    this.shares = shares;
  }

  /** Whether no pod was left out because its Node is unknown. */
  boolean complete() {
    return complete;
  }

  /**
   * Why proportional hints are impossible, by address type; "" on success. Empty if the service
   * does not request them.
   */
  Map<String, String> hintProblems() {
    return problems;
  }

  /**
   * @param pods the pods that the service selects
   * @param slices the existing slices of the service
   */
  SliceChanges changes(List<JsonObject> pods, List<JsonObject> slices) {
    var families = EndpointFamily.of(service);
    for (var slice : slices) {
      var type = slice.string("addressType");
      if (families.stream().noneMatch(family -> family.type().equals(type))) {
        changes.delete().add(slice);
      }
    }
    for (var family : families) {
      plan(
          family,
          pods,
          slices.stream()
              .filter(slice -> slice.string("addressType").equals(family.type()))
              .toList());
    }
    return changes;
  }

  private void plan(EndpointFamily family, List<JsonObject> pods, List<JsonObject> slices) {
    var existing = new LinkedHashMap<String, List<JsonObject>>();
    var own = new SliceChanges();
    for (var slice : slices) {
      if (SliceChanges.isOwnedBy(slice, uid)) {
        existing
            .computeIfAbsent(SlicePorts.key(slice.array("ports")), key -> new ArrayList<>())
            .add(slice);
      } else {
        own.delete().add(slice);
      }
    }
    var desired = new LinkedHashMap<String, List<JsonObject>>();
    var ports = new LinkedHashMap<String, JsonArray>();
    for (var pod : pods) {
      if (PodEndpoints.isPublished(pod)) {
        var offered = SlicePorts.of(service, pod);
        var key = SlicePorts.key(offered);
        ports.put(key, offered);
        var group = desired.computeIfAbsent(key, name -> new ArrayList<>());
        add(pod, family, group);
      }
    }
    desired.forEach(
        (key, endpoints) ->
            new SlicePacking(template(family, Objects.requireNonNull(ports.get(key))), most)
                .pack(existing.getOrDefault(key, List.of()), endpoints, own));
    existing.forEach(
        (key, old) -> {
          if (!desired.containsKey(key)) {
            own.delete().addAll(old);
          }
        });
    if (own.create().isEmpty() && own.delete().size() == slices.size()) {
      addPlaceholder(family, own);
    }
    giveHints(family, slices, own);
    own.reuse(uid);
    changes.create().addAll(own.create());
    changes.update().addAll(own.update());
    changes.delete().addAll(own.delete());
  }

  private void add(JsonObject pod, EndpointFamily family, List<JsonObject> group) {
    var node = nodes.apply(pod.object("spec").string("nodeName"));
    if (node == null && !PodEndpoints.publishesNotReady(service)) {
      complete = false;
      return;
    }
    var endpoint = PodEndpoints.endpoint(pod, node, service, family);
    if (!endpoint.array("addresses").isEmpty()) {
      group.add(endpoint);
    }
  }

  /**
   * A service without endpoints gets one empty slice, which distinguishes it from a new service.
   */
  private void addPlaceholder(EndpointFamily family, SliceChanges own) {
    var placeholder = template(family, JsonArray.EMPTY);
    var kept =
        own.delete().stream()
            .filter(
                slice ->
                    SliceChanges.isOwnedBy(slice, uid)
                        && slice.array("endpoints").isEmpty()
                        && slice.array("ports").isEmpty()
                        && slice
                            .object("metadata")
                            .object("labels")
                            .equals(placeholder.object("metadata").object("labels")))
            .findFirst();
    if (kept.isPresent()) {
      own.delete().remove(kept.get());
    } else {
      own.create().add(placeholder);
    }
  }

  /**
   * Sets hints on all slices that stay or are created; an unchanged slice is written only if its
   * hints are wrong.
   */
  private void giveHints(EndpointFamily family, List<JsonObject> slices, SliceChanges own) {
    var touched = new HashSet<String>();
    own.update().forEach(slice -> touched.add(slice.object("metadata").string("name")));
    own.delete().forEach(slice -> touched.add(slice.object("metadata").string("name")));
    var others =
        slices.stream()
            .filter(slice -> !touched.contains(slice.object("metadata").string("name")))
            .toList();
    var hints = TrafficHints.of(service);
    if (hints == TrafficHints.PROPORTIONAL) {
      var problem = ProportionalHints.give(shares, others, own);
      problems.put(family.type(), problem);
      if (problem.isEmpty()) {
        return;
      }
    }
    own.create().replaceAll(hints::give);
    own.update().replaceAll(hints::give);
    for (var slice : others) {
      var hinted = hints.give(slice);
      if (!hinted.equals(slice)) {
        own.update().add(hinted);
      }
    }
  }

  private JsonObject template(EndpointFamily family, JsonArray ports) {
    var metadata = service.object("metadata");
    var name = metadata.string("name");
    var prefix = name.length() < 253 ? name + "-" : name;
    return JsonObject.of(
        "apiVersion",
        API_VERSION,
        "kind",
        "EndpointSlice",
        "metadata",
        JsonObject.of(
            "generateName",
            prefix,
            "namespace",
            metadata.string("namespace"),
            "labels",
            JsonObject.ofStrings(labels(service, MANAGER)),
            "ownerReferences",
            JsonArray.of(owner(service, "v1", "Service"))),
        "addressType",
        family.type(),
        "endpoints",
        JsonArray.EMPTY,
        "ports",
        ports);
  }

  static JsonObject owner(JsonObject object, String apiVersion, String kind) {
    var metadata = object.object("metadata");
    return JsonObject.of(
        "apiVersion",
        apiVersion,
        "kind",
        kind,
        "name",
        metadata.string("name"),
        "uid",
        metadata.string("uid"),
        "controller",
        true,
        "blockOwnerDeletion",
        true);
  }

  /** The labels of the service, except the three labels that slices set themselves. */
  static Map<String, String> labels(JsonObject service, String manager) {
    var metadata = service.object("metadata");
    var labels = new LinkedHashMap<>(metadata.object("labels").strings());
    labels.remove(HEADLESS);
    var address = service.object("spec").string("clusterIP");
    if (address.isEmpty() || address.equals("None")) {
      labels.put(HEADLESS, "");
    }
    labels.put(SERVICE_NAME, metadata.string("name"));
    labels.put(MANAGED_BY, manager);
    return labels;
  }
}
