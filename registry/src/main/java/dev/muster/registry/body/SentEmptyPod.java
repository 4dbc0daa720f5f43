package dev.muster.registry.body;

import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.util.List;
import java.util.function.BinaryOperator;

/** What was sent empty in the spec of a pod, where nothing at all would be fine. */
final class SentEmptyPod {
  private static final String[] POD = {"spec"};
  private static final String[] POD_TEMPLATE = {"template", "spec"};
  private static final String[] CRON_JOB = {"spec", "jobTemplate", "spec", "template", "spec"};
  private static final String[] CONTROLLER = {"spec", "template", "spec"};

  private static final String[] TERMS = {
    "affinity",
    "nodeAffinity",
    "requiredDuringSchedulingIgnoredDuringExecution",
    "nodeSelectorTerms"
  };

  private static final List<String> NOT_EPHEMERAL =
      List.of("ports", "resizePolicy", "restartPolicyRules");
  private static final List<String> NOT_IN_TEMPLATE =
      List.of("ownerReferences", "finalizers", "managedFields");
  private static final List<String> RESOURCES = List.of("limits", "requests", "claims");

  private SentEmptyPod() {}

  /** The object that was read with what its pods miss of what was sent. */
  static JsonObject kept(String kind, JsonObject sent, JsonObject read) {
    var path =
        switch (kind) {
          case "Pod" -> POD;
          case "PodTemplate" -> POD_TEMPLATE;
          case "CronJob" -> CRON_JOB;
          default -> CONTROLLER;
        };
    var given = sent;
    var spec = read;
    for (var field : path) {
      given = given.object(field);
      spec = spec.object(field);
    }
    var kept = resources(given, ephemeral(given, volumes(given, spec)));
    kept = selectors(kind, given, groups(given, overhead(kind, given, kept)));
    return kept == spec ? read : read.withAt(kept, path);
  }

  /** Claims are not for a pod as a whole, not even none. */
  private static JsonObject resources(JsonObject sent, JsonObject spec) {
    return sent.get("resources") instanceof JsonObject resources
            && SentEmpty.isEmptyList(resources.get("claims"))
        ? spec.withAt(JsonArray.EMPTY, "resources", "claims")
        : spec;
  }

  /** Only the class of a pod says what running it costs. */
  private static JsonObject overhead(String kind, JsonObject sent, JsonObject spec) {
    return kind.equals("Pod")
            && sent.get("overhead") instanceof JsonObject amounts
            && amounts.isEmpty()
        ? spec.with("overhead", amounts)
        : spec;
  }

  /** Windows knows no such groups. */
  private static JsonObject groups(JsonObject sent, JsonObject spec) {
    return spec.object("os").string("name").equals("windows")
            && SentEmpty.isEmptyList(sent.object("securityContext").get("supplementalGroups"))
        ? spec.withAt(JsonArray.EMPTY, "securityContext", "supplementalGroups")
        : spec;
  }

  /** The nodes that a pod waits for are shown as they were sent when they may not change. */
  private static JsonObject selectors(String kind, JsonObject sent, JsonObject spec) {
    var kept = spec;
    if (kind.equals("Pod")
        && spec.has("schedulingGates")
        && sent.get("nodeSelector") instanceof JsonObject selector
        && selector.isEmpty()) {
      kept = kept.with("nodeSelector", selector);
    }
    return sent.get("affinity") instanceof JsonObject affinity
            && SentEmpty.isEmptyList(affinity.object(TERMS[1], TERMS[2]).get(TERMS[3]))
        ? kept.withAt(JsonArray.EMPTY, TERMS)
        : kept;
  }

  /** The new pod without what says something about a change only. */
  static JsonObject ofCreate(JsonObject pod) {
    return without(pod, "nodeSelector");
  }

  /** The changed pod without what says something about a new one only. */
  static JsonObject ofUpdate(JsonObject pod, JsonObject old) {
    var changed = without(pod, "overhead");
    return old.object("spec").has("nodeSelector") && old.object("spec").has("schedulingGates")
        ? changed
        : without(changed, "nodeSelector");
  }

  private static JsonObject without(JsonObject pod, String map) {
    return pod.at("spec", map) instanceof JsonObject entries && entries.isEmpty()
        ? pod.with("spec", pod.object("spec").without(map))
        : pod;
  }

  private static JsonObject ephemeral(JsonObject sent, JsonObject spec) {
    return items("ephemeralContainers", sent, spec, SentEmptyPod::container);
  }

  private static JsonObject container(JsonObject sent, JsonObject read) {
    var kept = lists(NOT_EPHEMERAL, sent, read);
    for (var field : RESOURCES) {
      if (isEmpty(sent.object("resources"), field)) {
        kept = kept.withAt(JsonArray.EMPTY, "resources", field);
      }
    }
    return kept;
  }

  private static JsonObject volumes(JsonObject sent, JsonObject spec) {
    return items("volumes", sent, spec, SentEmptyPod::volume);
  }

  private static JsonObject volume(JsonObject sent, JsonObject read) {
    if (!(sent.get("ephemeral") instanceof JsonObject source)) {
      return read;
    }
    var metadata = read.object("ephemeral", "volumeClaimTemplate", "metadata");
    var kept = lists(NOT_IN_TEMPLATE, source.object("volumeClaimTemplate", "metadata"), metadata);
    return kept == metadata
        ? read
        : read.withAt(kept, "ephemeral", "volumeClaimTemplate", "metadata");
  }

  private static JsonObject items(
      String list, JsonObject sent, JsonObject spec, BinaryOperator<JsonObject> change) {
    var before = spec.array(list);
    var kept =
        before.mapBeside(
            sent.array(list),
            (from, to) ->
                from instanceof JsonObject given && to instanceof JsonObject read
                    ? change.apply(given, read)
                    : to);
    return kept == before ? spec : spec.with(list, kept);
  }

  private static JsonObject lists(List<String> fields, JsonObject sent, JsonObject read) {
    var kept = read;
    for (var field : fields) {
      if (SentEmpty.isEmptyList(sent.get(field))) {
        kept = kept.with(field, JsonArray.EMPTY);
      }
    }
    return kept;
  }

  private static boolean isEmpty(JsonObject object, String field) {
    return SentEmpty.isEmptyList(object.get(field))
        || (object.get(field) instanceof JsonObject map && map.isEmpty());
  }
}
