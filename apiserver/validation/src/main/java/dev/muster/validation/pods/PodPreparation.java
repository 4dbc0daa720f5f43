package dev.muster.validation.pods;

import static dev.muster.validation.Default.in;
import static dev.muster.validation.Default.withoutEmpty;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.validation.Default;
import dev.muster.validation.Generation;
import dev.muster.validation.pods.containers.PodResources;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.OptionalLong;

/**
 * Prepares pods: initial status, generation, grace period and other values that only the server
 * sets.
 */
final class PodPreparation {
  private static final List<String> AFFINITIES = List.of("podAffinity", "podAntiAffinity");

  private static final JsonObject GATED =
      JsonObject.of(
          "type",
          "PodScheduled",
          "status",
          "False",
          "reason",
          "SchedulingGated",
          "message",
          "Scheduling is blocked due to non-empty scheduling gates");

  /** An empty overhead is refused only in a new pod. */
  private static final Default OVERHEAD = in("spec", withoutEmpty("overhead"));

  /** An empty node selector matters only if the old pod had one that cannot change. */
  private static final Default NODE_SELECTOR = in("spec", withoutEmpty("nodeSelector"));

  private PodPreparation() {}

  static JsonObject forCreate(JsonObject pod) {
    var spec = DisabledFields.dropped(pod.object("spec"), JsonObject.EMPTY);
    var given = pod.object("status").string("qosClass");
    var quality = given.isEmpty() ? PodResources.quality(spec) : given;
    var status = JsonObject.of("phase", "Pending", "qosClass", quality);
    if (!spec.array("schedulingGates").isEmpty()) {
      var now = pod.object("metadata").string("creationTimestamp");
      status = PodConditions.with(status, GATED, now);
    }
    spec = withLabelKeys(spec, pod.object("metadata", "labels"));
    spec = AppArmor.withProfiles(spec, pod.object("metadata", "annotations"));
    return pod.with("spec", spec)
        .with("status", status)
        .withAt(Json.of(1), "metadata", "generation");
  }

  static JsonObject forUpdate(JsonObject pod, JsonObject old) {
    var prepared = OVERHEAD.apply(DisabledFields.droppedAt(pod, old, "spec"));
    var spec = old.object("spec");
    if (!spec.has("nodeSelector") || !spec.has("schedulingGates")) {
      prepared = NODE_SELECTOR.apply(prepared);
    }
    var status = old.get("status");
    prepared = status == null ? prepared.without("status") : prepared.with("status", status);
    return Generation.counted(prepared, old);
  }

  static JsonObject forStatusUpdate(JsonObject pod, JsonObject old) {
    var metadata = pod.object("metadata");
    for (var field : List.of("ownerReferences", "deletionTimestamp")) {
      metadata = PodParts.keeping(metadata, old.object("metadata"), field);
    }
    var prepared = pod.with("metadata", metadata);
    var status = prepared.object("status");
    var before = old.object("status");
    for (var kept : List.of("qosClass", "observedGeneration")) {
      var was = before.get(kept);
      if (was != null && isUnset(status, kept)) {
        status = status.with(kept, was);
      }
    }
    return prepared.with(
        "status", observed(addressed(DisabledFields.droppedStatus(status, before)), before));
  }

  /** Keeps the field for one address and the field for several addresses equal. */
  private static JsonObject addressed(JsonObject status) {
    var one = status.string("podIP");
    var first = status.array("podIPs").isEmpty() ? "" : status.array("podIPs").object(0);
    if (first instanceof JsonObject several && one.isEmpty()) {
      return status.with("podIP", several.string("ip"));
    }
    boolean same = first instanceof JsonObject several && several.string("ip").equals(one);
    return one.isEmpty() || same
        ? status
        : status.with("podIPs", JsonArray.of(JsonObject.of("ip", one)));
  }

  private static boolean isUnset(JsonObject status, String field) {
    return status.string(field).isEmpty() && status.integer(field, 0) == 0;
  }

  /** A condition without observedGeneration keeps its old one. */
  private static JsonObject observed(JsonObject status, JsonObject before) {
    var generations = new HashMap<String, Deque<Long>>();
    for (var condition : before.array("conditions").objects()) {
      generations
          .computeIfAbsent(condition.string("type"), type -> new ArrayDeque<>())
          .add(condition.integer("observedGeneration", 0));
    }
    return DisabledFields.eachIn(
        status,
        "conditions",
        condition -> {
          var known = generations.get(condition.string("type"));
          long was = known == null || known.isEmpty() ? 0 : known.removeFirst();
          return was == 0 || condition.integer("observedGeneration", 0) != 0
              ? condition
              : condition.with("observedGeneration", was);
        });
  }

  /** Resolves label keys in affinities and topology spread constraints to the pod's own labels. */
  private static JsonObject withLabelKeys(JsonObject spec, JsonObject labels) {
    var result = spec;
    for (var affinity : AFFINITIES) {
      if (result.at("affinity", affinity) instanceof JsonObject struct) {
        var changed =
            DisabledFields.eachIn(
                struct,
                "preferredDuringSchedulingIgnoredDuringExecution",
                weighted ->
                    weighted.get("podAffinityTerm") instanceof JsonObject term
                        ? weighted.with("podAffinityTerm", selecting(term, labels))
                        : weighted);
        changed =
            DisabledFields.eachIn(
                changed,
                "requiredDuringSchedulingIgnoredDuringExecution",
                term -> selecting(term, labels));
        result = changed == struct ? result : result.withAt(changed, "affinity", affinity);
      }
    }
    return DisabledFields.eachIn(
        result, "topologySpreadConstraints", constraint -> selecting(constraint, labels));
  }

  private static JsonObject selecting(JsonObject term, JsonObject labels) {
    if (!(term.get("labelSelector") instanceof JsonObject selector)) {
      return term;
    }
    var expressions = selector.array("matchExpressions");
    var all = with(expressions, term.array("matchLabelKeys"), "In", labels);
    all = with(all, term.array("mismatchLabelKeys"), "NotIn", labels);
    return all == expressions
        ? term
        : term.with("labelSelector", selector.with("matchExpressions", all));
  }

  private static JsonArray with(
      JsonArray expressions, JsonArray keys, String operator, JsonObject labels) {
    var all = expressions;
    for (var key : keys.strings()) {
      if (labels.has(key)) {
        all =
            all.plus(
                JsonObject.of(
                    "key",
                    key,
                    "operator",
                    operator,
                    "values",
                    JsonArray.of(Json.of(labels.string(key)))));
      }
    }
    return all;
  }

  /**
   * The grace period in seconds: the requested or default one for a scheduled pod that has not
   * finished, 0 for any other pod.
   */
  static OptionalLong grace(JsonObject pod, OptionalLong requested) {
    var spec = pod.object("spec");
    var phase = pod.object("status").string("phase");
    if (spec.string("nodeName").isEmpty() || phase.equals("Failed") || phase.equals("Succeeded")) {
      return OptionalLong.of(0);
    }
    long seconds = requested.orElse(spec.integer("terminationGracePeriodSeconds", 0));
    return OptionalLong.of(seconds < 0 ? 1 : seconds);
  }
}
