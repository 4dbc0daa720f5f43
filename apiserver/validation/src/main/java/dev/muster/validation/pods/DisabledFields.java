package dev.muster.validation.pods;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * Drops the fields of pod features that are disabled by default, unless the old object already uses
 * them.
 */
public final class DisabledFields {
  static final List<String> CONTAINER_LISTS =
      List.of("containers", "initContainers", "ephemeralContainers");

  private static final List<String> STATUS_LISTS =
      List.of("containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses");

  private DisabledFields() {}

  /**
   * @param old the old spec, empty on create
   */
  static JsonObject dropped(JsonObject spec, JsonObject old) {
    var kept = old.has("schedulingGroup") ? spec : spec.without("schedulingGroup");
    for (var source : List.of("clusterTrustBundle", "podCertificate")) {
      if (uses(kept, source) && !uses(old, source)) {
        kept = eachIn(kept, "volumes", volume -> withoutSource(volume, source));
      }
    }
    if (anyContainer(kept, DisabledFields::hasStopSignal)
        && !anyContainer(old, DisabledFields::hasStopSignal)) {
      for (var list : CONTAINER_LISTS) {
        kept = eachIn(kept, list, DisabledFields::withoutStopSignal);
      }
    }
    return kept;
  }

  /** Drops the fields from an object with a template at that path. */
  public static JsonObject droppedAt(JsonObject object, JsonObject old, String... path) {
    if (!(object.at(path) instanceof JsonObject spec)) {
      return object;
    }
    var before = old.at(path) instanceof JsonObject oldSpec ? oldSpec : JsonObject.EMPTY;
    var kept = dropped(spec, before);
    return kept == spec ? object : object.withAt(kept, path);
  }

  /** Drops the fields from the status of a pod. */
  static JsonObject droppedStatus(JsonObject status, JsonObject old) {
    var claims = "nodeAllocatableResourceClaimStatuses";
    var kept = old.array(claims).isEmpty() ? status.without(claims) : status;
    for (var list : STATUS_LISTS) {
      if (STATUS_LISTS.stream().noneMatch(oldList -> hasVolumeStatus(old.array(oldList)))) {
        kept =
            eachIn(
                kept,
                list,
                container ->
                    eachIn(container, "volumeMounts", mount -> mount.without("volumeStatus")));
      }
    }
    return kept;
  }

  private static boolean hasVolumeStatus(JsonArray containers) {
    return containers.objects().stream()
        .flatMap(container -> container.array("volumeMounts").objects().stream())
        .anyMatch(mount -> mount.has("volumeStatus"));
  }

  private static boolean uses(JsonObject spec, String source) {
    return spec.array("volumes").objects().stream()
        .flatMap(volume -> volume.object("projected").array("sources").objects().stream())
        .anyMatch(projection -> projection.has(source));
  }

  private static JsonObject withoutSource(JsonObject volume, String source) {
    return volume.has("projected")
        ? volume.with(
            "projected",
            eachIn(volume.object("projected"), "sources", projection -> projection.without(source)))
        : volume;
  }

  static boolean anyContainer(JsonObject spec, Predicate<JsonObject> test) {
    return CONTAINER_LISTS.stream()
        .flatMap(list -> spec.array(list).objects().stream())
        .anyMatch(test);
  }

  private static boolean hasStopSignal(JsonObject container) {
    return container.object("lifecycle").has("stopSignal");
  }

  private static JsonObject withoutStopSignal(JsonObject container) {
    if (!hasStopSignal(container)) {
      return container;
    }
    var lifecycle = container.object("lifecycle").without("stopSignal");
    return lifecycle.isEmpty()
        ? container.without("lifecycle")
        : container.with("lifecycle", lifecycle);
  }

  /** The object with a change applied to each struct of a list. */
  public static JsonObject eachIn(
      JsonObject object, String list, UnaryOperator<JsonObject> change) {
    if (!(object.get(list) instanceof JsonArray array)) {
      return object;
    }
    var changed = array.map(item -> changedStruct(item, change));
    return changed == array ? object : object.with(list, changed);
  }

  private static Json changedStruct(Json item, UnaryOperator<JsonObject> change) {
    return item instanceof JsonObject struct ? change.apply(struct) : item;
  }
}
