package dev.muster.validation.pods;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldPath;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.Rules;
import dev.muster.validation.pods.containers.PodResources;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Rules of the {@code resize} subresource, which changes cpu and memory of a running pod. */
public final class ResizeRules {
  private static final List<String> LISTS = List.of("containers", "initContainers");
  private static final List<String> PARTS = List.of("resources", "resizePolicy");
  private static final Set<String> RESIZABLE = Set.of("cpu", "memory");

  private ResizeRules() {}

  /**
   * The old pod with the new resources and resize policies. If the containers or their order
   * differ, they stay as the client sent them, so that validation refuses them.
   */
  public static JsonObject prepare(JsonObject pod, JsonObject old) {
    var spec = pod.object("spec");
    var before = old.object("spec");
    for (var list : LISTS) {
      if (spec.array(list).size() != before.array(list).size()) {
        return PodParts.finished(pod, old);
      }
    }
    var kept = PodParts.keeping(before, spec, "resources");
    for (var list : LISTS) {
      if (!spec.array(list).isEmpty()) {
        kept = kept.with(list, merged(spec.array(list), before.array(list)));
      }
    }
    return PodParts.withSpec(pod, old, kept);
  }

  private static JsonArray merged(JsonArray now, JsonArray before) {
    var result = new ArrayList<Json>(now.size());
    for (int i = 0; i < now.size(); i++) {
      var container = now.object(i);
      var old = before.object(i);
      if (!container.string("name").equals(old.string("name"))) {
        return now;
      }
      for (var part : PARTS) {
        old = PodParts.keeping(old, container, part);
      }
      result.add(old);
    }
    return JsonArray.of(result);
  }

  public static void validate(JsonObject object, JsonObject old, List<FieldError> errors) {
    var pod = FieldCursor.of(object, old, errors);
    PodParts.metadata(pod);
    if (old.object("metadata", "annotations").has(PodParts.MIRROR)) {
      errors.add(FieldError.forbidden(FieldPath.NAMELESS, "static pods cannot be resized"));
      return;
    }
    if (old.object("spec", "os").string("name").equals("windows")) {
      errors.add(FieldError.forbidden(FieldPath.NAMELESS, "windows pods cannot be resized"));
      return;
    }
    Rules.metadataUpdate().check(pod);
    PodRules.checked(pod);
    var spec = pod.at("spec");
    if (!quality(old).equals(PodResources.quality(object.object("spec")))) {
      spec.invalid(
          Json.of(object.object("status").string("qosClass")),
          "Pod QOS Class may not change as a result of resizing");
    }
    if (!isSupported(old)) {
      spec.forbidden("Pod running on node without support for resize");
    }
    wholePod(spec);
    if (!old.object("status").array("nodeAllocatableResourceClaimStatuses").isEmpty()) {
      spec.forbidden("pods with node allocatable resource claims cannot be resized");
    }
    if (sameContainers(spec)) {
      containers(spec);
      if (errors.isEmpty() && isEmptied(spec.at("resources"))) {
        spec.forbidden("only cpu and memory resources are mutable");
      }
    }
  }

  /** Whether pod-level resources appear or disappear without a quantity in them. */
  private static boolean isEmptied(FieldCursor resources) {
    return !isSet(resources)
        && !isSet(resources.before())
        && resources.isAbsent() != resources.before().isAbsent();
  }

  private static String quality(JsonObject pod) {
    var known = pod.object("status").string("qosClass");
    return known.isEmpty() ? PodResources.quality(pod.object("spec")) : known;
  }

  /**
   * Whether the node supports resizing: the first running container has resources in its status.
   */
  private static boolean isSupported(JsonObject pod) {
    for (var status : pod.object("status").array("containerStatuses").objects()) {
      if (status.object("state").has("running")) {
        return status.has("resources");
      }
    }
    return true;
  }

  private static void wholePod(FieldCursor spec) {
    var resources = spec.at("resources");
    var before = resources.before();
    if (!isSet(resources) && !isSet(before)) {
      return;
    }
    if (before.isPresent() && resources.isAbsent()) {
      resources.forbidden("pod-level resources cannot be removed");
      return;
    }
    for (var kind : List.of("requests", "limits")) {
      if (isRemoved(resources.at(kind))) {
        resources.at(kind).forbidden("pod-level resource " + kind + " cannot be removed");
      }
    }
    if (!fixed(resources.object()).equals(fixed(before.object()))
        || !resources.at("claims").isEmpty()) {
      spec.forbidden("only cpu and memory resources are mutable at pod-level");
    }
  }

  private static boolean isSet(FieldCursor resources) {
    return !resources.at("requests").isEmpty() || !resources.at("limits").isEmpty();
  }

  private static boolean isRemoved(FieldCursor amounts) {
    return !amounts.object().keys().containsAll(amounts.before().object().keys());
  }

  private static boolean sameContainers(FieldCursor spec) {
    boolean same = true;
    for (var list : LISTS) {
      var containers = spec.at(list);
      if (containers.array().size() != containers.before().array().size()) {
        containers.forbidden(list + " may not be added or removed on resize");
        same = false;
        continue;
      }
      for (var container : containers.items()) {
        var name = container.at("name");
        if (name.isChanged()) {
          name.forbidden(list + " may not be renamed or reordered on resize");
          same = false;
        }
      }
    }
    return same;
  }

  private static void containers(FieldCursor spec) {
    for (var list : List.of("initContainers", "containers")) {
      for (var container : spec.at(list).items()) {
        for (var kind : List.of("requests", "limits")) {
          var amounts = container.at("resources", kind);
          if (isRemoved(amounts)) {
            amounts.forbidden("resource " + kind + " cannot be removed");
          }
        }
      }
    }
    for (var container : spec.at("containers").items()) {
      if (!sameBesidesAmounts(container)) {
        spec.forbidden("only cpu and memory resources are mutable");
      }
    }
    for (var container : spec.at("initContainers").items()) {
      if (!sameBesidesAmounts(container)) {
        container.forbidden(
            "only cpu and memory resources for init or sidecar containers are mutable");
      }
      if (container.isChanged() && !container.at("restartPolicy").isText("Always")) {
        for (var policy : container.at("resizePolicy").items()) {
          if (policy.at("restartPolicy").isText("RestartContainer")) {
            container.forbidden(
                "non-sidecar init containers with a resize policy of RestartContainer cannot be"
                    + " resized");
          }
        }
      }
    }
  }

  /**
   * Whether only quantities differ. The comparison ignores resource claims, so a container that had
   * claims never qualifies.
   */
  private static boolean sameBesidesAmounts(FieldCursor container) {
    return container.before().at("resources", "claims").isEmpty()
        && fixed(container).equals(fixed(container.before()));
  }

  private static JsonObject fixed(FieldCursor container) {
    var object = container.object();
    return object.with("resources", fixed(object.object("resources")));
  }

  /** The resources that cannot change; resource claims are ignored. */
  private static JsonObject fixed(JsonObject resources) {
    var rest = JsonObject.EMPTY;
    for (var kind : List.of("requests", "limits")) {
      var amounts = resources.object(kind);
      for (var name : RESIZABLE) {
        amounts = amounts.without(name);
      }
      rest = rest.with(kind, amounts);
    }
    return rest;
  }
}
