package dev.muster.model.quota;

import dev.muster.model.Quantity;
import dev.muster.model.json.JsonObject;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;

/**
 * Measures ResourceClaims: their number, and the devices of each DeviceClass that they may get. It
 * also counts these devices under the names by which pods request them as extended resources.
 */
public record DeviceMeasure(QuotaLookup cluster, String namespace, PodMeasure pods)
    implements Measure {
  private static final String COUNT = "count/resourceclaims.resource.k8s.io";
  private static final String BY_CLASS = ".deviceclass.resource.k8s.io/devices";
  private static final String REQUESTS = "requests.";
  private static final String IMPLICIT = REQUESTS + "deviceclass.resource.kubernetes.io/";
  private static final String FOR_POD = "resource.kubernetes.io/extended-resource-claim";

  /** The maximum number of devices for a request of all devices of a class. */
  private static final long MOST_DEVICES = 32;

  @Override
  public List<String> matching(Collection<String> names) {
    return names.stream()
        .filter(name -> name.equals(COUNT) || name.endsWith(BY_CLASS) || isOfClass(name))
        .sorted()
        .toList();
  }

  private boolean isOfClass(String name) {
    if (name.startsWith(IMPLICIT)) {
      return cluster.deviceClasses().containsKey(name.substring(IMPLICIT.length()));
    }
    if (!PodMeasure.isExtended(name)) {
      return false;
    }
    var wanted = name.substring(REQUESTS.length());
    return cluster.deviceClasses().values().stream()
        .anyMatch(one -> one.object("spec").string("extendedResourceName").equals(wanted));
  }

  @Override
  public ResourceList usage(JsonObject claim) {
    var devices = new TreeMap<String, Long>();
    for (var request : claim.object("spec", "devices").array("requests").objects()) {
      var choices = request.array("firstAvailable").objects();
      if (!choices.isEmpty()) {
        var most = new TreeMap<String, Long>();
        for (var choice : choices) {
          most.merge(choice.string("deviceClassName"), count(choice), Math::max);
        }
        most.forEach((name, count) -> devices.merge(name, count, Long::sum));
      } else {
        var exactly = request.has("exactly") ? request.object("exactly") : request;
        devices.merge(exactly.string("deviceClassName"), count(exactly), Long::sum);
      }
    }
    var usage = new ResourceList();
    usage.put(COUNT, Quantity.of(1));
    var ofPod = ofPod(claim);
    devices.forEach(
        (name, count) -> {
          usage.put(name + BY_CLASS, Quantity.of(count));
          if (!name.isEmpty()) {
            addRest(usage, IMPLICIT + name, count, ofPod);
            var known = cluster.deviceClasses().get(name);
            var extended = known == null ? "" : known.object("spec").string("extendedResourceName");
            if (!extended.isEmpty()) {
              addRest(usage, REQUESTS + extended, count, ofPod);
            }
          }
        });
    return usage;
  }

  private static long count(JsonObject request) {
    return switch (request.string("allocationMode")) {
      case "ExactCount" -> request.integer("count", 0);
      case "All" -> MOST_DEVICES;
      default -> 0;
    };
  }

  /** Adds the part of a count that the claim's pod is not already charged for. */
  private static void addRest(ResourceList usage, String name, long count, ResourceList ofPod) {
    var rest = Quantity.of(count).minus(ofPod.get(name));
    if (rest.signum() > 0) {
      usage.put(name, rest);
    }
  }

  /** The usage that the claim's pod is charged for, if the claim really belongs to that pod. */
  private ResourceList ofPod(JsonObject claim) {
    var owner = podOf(claim);
    var pod = owner.isEmpty() ? null : cluster.pod(namespace, owner.string("name"));
    if (pod == null || !pod.object("metadata").string("uid").equals(owner.string("uid"))) {
      return new ResourceList();
    }
    var name = claim.object("metadata").string("name");
    var status = pod.object("status");
    boolean own =
        status.has("extendedResourceClaimStatus")
            ? status.object("extendedResourceClaimStatus").string("resourceClaimName").equals(name)
            : isFirst(claim, owner.string("uid"));
    return own ? pods.usage(pod) : new ResourceList();
  }

  /** The pod that controls a claim for extended resources; empty for other claims. */
  private static JsonObject podOf(JsonObject claim) {
    var metadata = claim.object("metadata");
    if (metadata.object("annotations").string(FOR_POD).equals("true")) {
      for (var owner : metadata.array("ownerReferences").objects()) {
        if (owner.isTrue("controller")) {
          boolean pod = owner.string("kind").equals("Pod");
          return pod && owner.string("apiVersion").equals("v1") ? owner : JsonObject.EMPTY;
        }
      }
    }
    return JsonObject.EMPTY;
  }

  /** Whether this claim is the first one created for that pod. */
  private boolean isFirst(JsonObject claim, String uid) {
    var created = created(claim);
    var name = claim.object("metadata").string("name");
    for (var other : cluster.deviceClaims(namespace)) {
      if (podOf(other).string("uid").equals(uid)) {
        int order = created(other).compareTo(created);
        if (order < 0
            || (order == 0 && other.object("metadata").string("name").compareTo(name) < 0)) {
          return false;
        }
      }
    }
    return true;
  }

  private static String created(JsonObject object) {
    return object.object("metadata").string("creationTimestamp");
  }
}
