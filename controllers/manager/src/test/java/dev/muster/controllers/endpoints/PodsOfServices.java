package dev.muster.controllers.endpoints;

import dev.muster.controllers.ObjectKey;
import dev.muster.controllers.simulation.Simulation;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.model.select.LabelSelector;
import java.util.List;

/** What people and kubelets do to services, pods and Nodes, and which pods a service selects. */
final class PodsOfServices {
  static final String SERVICES = "/api/v1/services";
  static final String ENDPOINTS = "/api/v1/endpoints";
  static final String SLICES = "/apis/discovery.k8s.io/v1/endpointslices";
  private static final String PODS = "/api/v1/pods";
  private static final String NODES = "/api/v1/nodes";

  private PodsOfServices() {}

  static List<JsonObject> selected(Simulation world, JsonObject service) {
    var selector = LabelSelector.ofLabels(service.object("spec", "selector"));
    return world.api().list(PODS).stream()
        .filter(pod -> selector.matches(pod.object("metadata").object("labels")))
        .toList();
  }

  static boolean hasNode(Simulation world, JsonObject pod) {
    return world.api().get(NODES, "", pod.object("spec").string("nodeName")).isPresent();
  }

  static void others(Simulation world) {
    var pod = "p" + world.pick(12);
    var app = world.pick(List.of("web", "db"));
    switch (world.pick(12)) {
      case 0 -> world.api().create(SERVICES, service("s" + world.pick(2), app));
      case 1 -> {
        if (world.pick(4) == 0) {
          removeService(world, "s" + world.pick(2));
        } else {
          world
              .api()
              .change(
                  SERVICES,
                  "ns",
                  "s" + world.pick(2),
                  service -> service.withAt(Json.of(app), "spec", "selector", "app"));
        }
      }
      case 2, 3, 4, 5 -> createPod(world, pod, app);
      case 6, 7 -> {
        var ready = Json.of(world.pick(List.of("True", "False")));
        world
            .api()
            .change(
                PODS,
                "ns",
                pod,
                it ->
                    it.withAt(
                        it.object("status")
                            .array("conditions")
                            .map(condition -> ((JsonObject) condition).with("status", ready)),
                        "status",
                        "conditions"));
      }
      case 8 -> world.api().delete(PODS, "ns", pod);
      case 9 ->
          world
              .api()
              .change(PODS, "ns", pod, it -> it.withAt(Json.of("Failed"), "status", "phase"));
      case 10 -> {
        // Somebody deletes what is not his.
        var collection = world.pick(List.of(SLICES, ENDPOINTS));
        world
            .pick(collection)
            .map(ObjectKey::of)
            .filter(key -> !key.name().equals("of-somebody"))
            .ifPresent(key -> world.api().delete(collection, "ns", key.name()));
      }
      default -> {
        var node = "n" + world.pick(2);
        if (world.pick(5) == 0) {
          world.api().delete(NODES, "", node);
        } else {
          world.api().create(NODES, "metadata: {name: %s}".formatted(node));
        }
      }
    }
  }

  private static String service(String name, String app) {
    return """
    metadata: {namespace: ns, name: %s}
    spec: {clusterIP: 10.0.0.1, ipFamilies: [IPv4], selector: {app: %s}, ports: [{port: 80}]}
    """
        .formatted(name, app);
  }

  private static void createPod(Simulation world, String name, String app) {
    world
        .api()
        .create(
            PODS,
            """
            metadata: {namespace: ns, name: %s, labels: {app: %s}}
            spec: {nodeName: n%d}
            status:
              phase: Running
              podIPs: [{ip: 10.1.0.%d}]
              conditions: [{type: Ready, status: 'True'}]
            """
                .formatted(name, app, world.pick(2), world.pick(250)));
  }

  /** The garbage collector takes the slices along. */
  private static void removeService(Simulation world, String name) {
    world.api().delete(SERVICES, "ns", name);
    for (var slice : world.api().list(SLICES)) {
      if (SliceWriter.service(slice).name().equals(name)) {
        world.api().delete(SLICES, "ns", ObjectKey.of(slice).name());
      }
    }
  }
}
