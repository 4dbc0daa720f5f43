package dev.muster.controllers.disruption;

import dev.muster.controllers.client.ApiRequests;
import dev.muster.controllers.client.ApiResource;
import dev.muster.controllers.client.Discovery;
import dev.muster.model.json.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;

/** Finds how many pods the controllers of some pods want. Thread-safe. Blocks the caller. */
final class PodScale {
  private final ApiRequests requests;

  PodScale(ApiRequests requests) {
    this.requests = requests;
  }

  /**
   * @param pods the number of pods that the controllers want together
   * @param unmanaged names of pods without a controller
   */
  record Scale(long pods, List<String> unmanaged) {}

  /** A controller and the number of pods that it wants. */
  private record ExpectedPods(String uid, long replicas) {}

  Scale of(List<JsonObject> pods) {
    var unmanaged = new ArrayList<String>();
    var asked = new HashMap<String, ExpectedPods>();
    for (var pod : pods) {
      var name = pod.object("metadata").string("name");
      var owner = controller(pod);
      if (owner.isEmpty()) {
        unmanaged.add(name);
      } else if (!asked.containsKey(owner.get().string("uid"))) {
        var wanted =
            wanted(owner.get(), pod.object("metadata").string("namespace"))
                .orElseThrow(
                    () ->
                        new IllegalStateException(
                            "found no controllers for pod \"%s\"".formatted(name)));
        asked.put(owner.get().string("uid"), wanted);
      }
    }
    var scales = new HashMap<String, Long>();
    asked.values().forEach(wanted -> scales.put(wanted.uid(), wanted.replicas()));
    return new Scale(scales.values().stream().mapToLong(Long::longValue).sum(), unmanaged);
  }

  private static Optional<JsonObject> controller(JsonObject object) {
    return object.object("metadata").array("ownerReferences").objects().stream()
        .filter(owner -> owner.isTrue("controller"))
        .findFirst();
  }

  /** For a ReplicaSet of a Deployment, the Deployment counts. */
  private Optional<ExpectedPods> wanted(JsonObject owner, String namespace) {
    var found = resource(owner).flatMap(resource -> find(resource, owner, namespace));
    if (found.isPresent() && owner.string("kind").equals("ReplicaSet")) {
      var above = controller(found.get()).filter(one -> one.string("kind").equals("Deployment"));
      if (above.isPresent()) {
        return wanted(above.get(), namespace);
      }
    }
    return found.map(
        object ->
            new ExpectedPods(
                object.object("metadata").string("uid"),
                object.object("spec").integer("replicas", isScale(object) ? 0 : 1)));
  }

  private static boolean isScale(JsonObject object) {
    return object.string("kind").equals("Scale");
  }

  private static Optional<JsonObject> find(
      ApiResource resource, JsonObject owner, String namespace) {
    var name = owner.string("name");
    boolean known =
        resource.prefix().equals("/apis/apps/v1") || resource.prefix().equals("/api/v1");
    return resource
        .get(namespace, known ? name : name + "/scale")
        .filter(object -> object.object("metadata").string("uid").equals(owner.string("uid")));
  }

  private Optional<ApiResource> resource(JsonObject owner) {
    var version = owner.string("apiVersion");
    var prefix = version.indexOf('/') < 0 ? "/api/" + version : "/apis/" + version;
    var known =
        switch (version + "/" + owner.string("kind")) {
          case "apps/v1/ReplicaSet" -> "replicasets";
          case "apps/v1/Deployment" -> "deployments";
          case "apps/v1/StatefulSet" -> "statefulsets";
          case "v1/ReplicationController" -> "replicationcontrollers";
          default -> "";
        };
    if (!known.isEmpty()) {
      return Optional.of(new ApiResource(requests, prefix, known));
    }
    return Discovery.of(requests).versions().stream()
        .map(Discovery.Served::context)
        .filter(context -> context.getKind().equals(owner.string("kind")))
        .filter(context -> version.equals(context.getGroup() + "/" + context.getVersion()))
        .findFirst()
        .map(context -> new ApiResource(requests, prefix, context.getPlural()));
  }
}
