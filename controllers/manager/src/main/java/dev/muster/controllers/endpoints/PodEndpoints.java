package dev.muster.controllers.endpoints;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Converts pods to endpoints. */
final class PodEndpoints {
  private PodEndpoints() {}

  /** Keeps the fields of a pod that endpoints need. */
  static JsonObject keep(JsonObject pod) {
    var metadata = pod.object("metadata");
    var spec = pod.object("spec");
    var status = pod.object("status");
    var kept =
        JsonObject.builder()
            .put("namespace", metadata.string("namespace"))
            .put("name", metadata.string("name"))
            .put("uid", metadata.string("uid"))
            .put("resourceVersion", metadata.string("resourceVersion"))
            .putIf("labels", metadata.get("labels"))
            .putIf("deletionTimestamp", metadata.get("deletionTimestamp"));
    var conditions =
        status.array("conditions").objects().stream()
            .filter(condition -> condition.string("type").equals("Ready"))
            .toList();
    return JsonObject.of(
        "metadata",
        kept.build(),
        "spec",
        JsonObject.builder()
            .putIf("nodeName", spec.string("nodeName"))
            .putIf("hostname", spec.string("hostname"))
            .putIf("subdomain", spec.string("subdomain"))
            .put("containers", ports(spec.array("containers")))
            .put("initContainers", ports(spec.array("initContainers")))
            .build(),
        "status",
        JsonObject.builder()
            .putIf("phase", status.string("phase"))
            .putIf("podIP", status.string("podIP"))
            .putIf("podIPs", status.get("podIPs"))
            .put("conditions", JsonArray.of(conditions))
            .build());
  }

  private static JsonArray ports(JsonArray containers) {
    var kept = new ArrayList<Json>();
    for (var container : containers.objects()) {
      if (!container.array("ports").isEmpty()) {
        kept.add(
            JsonObject.builder()
                .putIf("restartPolicy", container.string("restartPolicy"))
                .put("ports", container.array("ports"))
                .build());
      }
    }
    return JsonArray.of(kept);
  }

  /** Whether the pod has an address and has not finished. */
  static boolean isPublished(JsonObject pod) {
    var status = pod.object("status");
    var phase = status.string("phase");
    return !addresses(pod).isEmpty() && !phase.equals("Failed") && !phase.equals("Succeeded");
  }

  private static List<String> addresses(JsonObject pod) {
    var status = pod.object("status");
    var all =
        status.array("podIPs").objects().stream()
            .map(one -> one.string("ip"))
            .filter(address -> !address.isEmpty())
            .toList();
    var first = status.string("podIP");
    return all.isEmpty() && !first.isEmpty() ? List.of(first) : all;
  }

  /** The pod's addresses of one family, in canonical form. */
  static List<String> addresses(JsonObject pod, EndpointFamily family) {
    return addresses(pod).stream()
        .filter(address -> EndpointFamily.of(address) == family)
        .map(EndpointFamily::canonical)
        .toList();
  }

  static boolean isReady(JsonObject pod) {
    return pod.object("status").array("conditions").objects().stream()
        .anyMatch(
            condition ->
                condition.string("type").equals("Ready")
                    && condition.string("status").equals("True"));
  }

  static boolean isTerminating(JsonObject pod) {
    return pod.object("metadata").has("deletionTimestamp");
  }

  static boolean publishesNotReady(JsonObject service) {
    return service.object("spec").isTrue("publishNotReadyAddresses");
  }

  /** The pod as an endpoint; without addresses if it has none of that family. */
  static JsonObject endpoint(
      JsonObject pod, @Nullable JsonObject node, JsonObject service, EndpointFamily family) {
    boolean serving = isReady(pod);
    boolean terminating = isTerminating(pod);
    boolean ready = publishesNotReady(service) || (serving && !terminating);
    var metadata = pod.object("metadata");
    var zone =
        node == null
            ? ""
            : node.object("metadata").object("labels").string("topology.kubernetes.io/zone");
    return JsonObject.builder()
        .put("addresses", JsonArray.ofStrings(addresses(pod, family)))
        .put(
            "conditions",
            JsonObject.of("ready", ready, "serving", serving, "terminating", terminating))
        .putIf("hostname", hostname(pod, service))
        .put("targetRef", reference(metadata))
        .putIf("nodeName", pod.object("spec").string("nodeName"))
        .putIf("zone", zone)
        .build();
  }

  /** The pod's host name, if its subdomain is the service's name; otherwise "". */
  static String hostname(JsonObject pod, JsonObject service) {
    var spec = pod.object("spec");
    var metadata = service.object("metadata");
    boolean own =
        spec.string("subdomain").equals(metadata.string("name"))
            && pod.object("metadata").string("namespace").equals(metadata.string("namespace"));
    return own ? spec.string("hostname") : "";
  }

  static JsonObject reference(JsonObject metadata) {
    return JsonObject.of(
        "kind", "Pod",
        "namespace", metadata.string("namespace"),
        "name", metadata.string("name"),
        "uid", metadata.string("uid"));
  }
}
