package dev.muster.validation.pods;

import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.NumberRules;
import dev.muster.schema.Schemas;
import dev.muster.schema.StructShape;
import dev.muster.validation.Difference;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.pods.containers.ContainerRules;
import dev.muster.validation.pods.scheduling.TolerationRules;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;

/** Validates updates of a pod, of which only a few fields can change. */
final class PodUpdates {
  private static final StructShape SPEC = Schemas.struct("io.k8s.api.core.v1.PodSpec");
  private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
  private static final String OTHER_FIELDS =
      "pod updates may not change fields other than `spec.containers[*].image`,"
          + "`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only"
          + " additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to"
          + " be set to 1 if it was previously negative)";

  private PodUpdates() {}

  /** Annotations that cannot change. */
  static void annotations(FieldCursor pod) {
    var annotations = pod.at("metadata", "annotations");
    for (var old : annotations.before().entries()) {
      var now = annotations.entry(old.name());
      if (now.isChanged() && !fixed(old.name()).isEmpty()) {
        now.forbidden("may not remove or update " + fixed(old.name()));
      }
    }
    for (var now : annotations.entries()) {
      if (now.before().isAbsent() && !fixed(now.name()).isEmpty()) {
        now.forbidden("may not add " + fixed(now.name()));
      }
    }
    PodAnnotations.check(annotations, pod.at("spec"));
  }

  private static String fixed(String annotation) {
    if (annotation.startsWith(AppArmor.ANNOTATION)) {
      return "AppArmor annotations";
    }
    return annotation.equals(PodParts.MIRROR) ? "mirror pod annotation" : "";
  }

  static void check(FieldCursor pod) {
    var spec = pod.at("spec");
    if (spec.isKnownValid()) {
      return;
    }
    for (var list : List.of("containers", "initContainers")) {
      if (!sameContainers(spec.at(list))) {
        return;
      }
    }
    if (!deadline(spec.at("activeDeadlineSeconds"))) {
      return;
    }
    tolerations(spec.at("tolerations"));
    gates(spec.at("schedulingGates"));
    if (spec.isChanged()) {
      rest(spec);
    }
  }

  private static boolean sameContainers(FieldCursor containers) {
    if (containers.array().size() != containers.before().array().size()) {
      containers.forbidden("pod updates may not add or remove containers");
      return false;
    }
    for (var container : containers.items()) {
      if (container.at("image").isEmpty()) {
        container.at("image").required("");
      }
      ContainerRules.trimmedImage(container);
    }
    return true;
  }

  private static boolean deadline(FieldCursor deadline) {
    var before = deadline.before();
    if (deadline.isPresent()) {
      var problems = NumberRules.range(deadline.integer(), 0, Integer.MAX_VALUE);
      deadline.invalidEach(problems);
      if (!problems.isEmpty()) {
        return false;
      }
      if (before.isPresent() && before.integer() < deadline.integer()) {
        deadline.invalid("must be less than or equal to previous value");
        return false;
      }
    } else if (before.isPresent()) {
      deadline.invalid(JsonNull.NULL, "must not update from a positive integer to nil value");
    }
    return true;
  }

  private static void tolerations(FieldCursor tolerations) {
    var now = new HashSet<JsonObject>();
    for (var toleration : tolerations.array().objects()) {
      now.add(toleration.without("tolerationSeconds"));
    }
    for (var old : tolerations.before().array().objects()) {
      if (!now.contains(old.without("tolerationSeconds"))) {
        tolerations.forbidden(
            "existing toleration can not be modified except its tolerationSeconds");
        return;
      }
    }
    TolerationRules.check(tolerations);
  }

  private static void gates(FieldCursor gates) {
    var added = new LinkedHashMap<String, FieldCursor>();
    gates.items().forEach(gate -> added.put(gate.at("name").text(), gate));
    gates.before().array().objects().forEach(gate -> added.remove(gate.string("name")));
    added.forEach(
        (name, gate) ->
            gate.at("name")
                .forbidden(
                    "only deletion is allowed, but found new scheduling gate '" + name + "'"));
  }

  private static void rest(FieldCursor spec) {
    var old = spec.before().object();
    var munged = spec.object();
    for (var list : List.of("containers", "initContainers")) {
      munged = withImages(munged, old, list);
    }
    for (var field : List.of("activeDeadlineSeconds", "schedulingGates", "tolerations")) {
      munged = PodParts.keeping(munged, old, field);
    }
    if (old.integer("terminationGracePeriodSeconds", 0) < 0
        && munged.integer("terminationGracePeriodSeconds", 0) == 1) {
      munged = PodParts.keeping(munged, old, "terminationGracePeriodSeconds");
    }
    if (!old.array("schedulingGates").isEmpty()) {
      nodeSelector(spec.at("nodeSelector"));
      munged = PodParts.keeping(munged, old, "nodeSelector");
      if (spec.at("affinity", "nodeAffinity").isChanged()) {
        nodeAffinity(spec.at("affinity", "nodeAffinity"));
        munged = keepingAffinity(munged, old);
      }
    }
    if (!munged.equals(old) && !PodSpecRules.EMPTY_FIELDS.dropped(SPEC, munged).equals(old)) {
      spec.forbidden(OTHER_FIELDS + Difference.between(old, munged));
    }
  }

  private static JsonObject withImages(JsonObject spec, JsonObject old, String list) {
    var containers = spec.array(list);
    var before = old.array(list);
    var changed = containers;
    for (int i = 0; i < containers.size(); i++) {
      var container = containers.object(i);
      changed = changed.with(i, PodParts.keeping(container, before.object(i), "image"));
    }
    return spec.has(list) ? spec.with(list, changed) : spec;
  }

  private static JsonObject keepingAffinity(JsonObject spec, JsonObject old) {
    var affinity =
        PodParts.keeping(spec.object("affinity"), old.object("affinity"), "nodeAffinity");
    return affinity.isEmpty() && !old.has("affinity")
        ? spec.without("affinity")
        : spec.with("affinity", affinity);
  }

  private static void nodeSelector(FieldCursor selector) {
    for (var old : selector.before().entries()) {
      if (!selector.entry(old.name()).isText(old.text())) {
        selector.invalid(
            selector.isAbsent() ? JsonNull.NULL : selector.object(),
            "only additions to spec.nodeSelector are allowed (no mutations or deletions)");
        return;
      }
    }
  }

  private static void nodeAffinity(FieldCursor affinity) {
    var old = affinity.before();
    var required = affinity.at(REQUIRED);
    if (old.at(REQUIRED).isAbsent()) {
      return;
    }
    var terms = required.at("nodeSelectorTerms");
    var before = old.at(REQUIRED, "nodeSelectorTerms").array();
    if (terms.array().size() != before.size()) {
      terms.invalid(
          terms.isAbsent() ? JsonNull.NULL : terms.array(),
          "no additions/deletions to non-empty NodeSelectorTerms list are allowed");
      return;
    }
    for (int i = 0; i < before.size(); i++) {
      if (!onlyAdds(terms.array().object(i), before.object(i))) {
        terms.items().get(i).invalid("only additions are allowed (no mutations or deletions)");
      }
    }
  }

  private static boolean onlyAdds(JsonObject term, JsonObject old) {
    boolean wasEmpty =
        old.array("matchExpressions").isEmpty() && old.array("matchFields").isEmpty();
    if (wasEmpty) {
      return term.equals(old);
    }
    return startsWith(term.array("matchExpressions"), old.array("matchExpressions"))
        && startsWith(term.array("matchFields"), old.array("matchFields"));
  }

  private static boolean startsWith(JsonArray now, JsonArray old) {
    return now.size() >= old.size() && now.asList().subList(0, old.size()).equals(old.asList());
  }
}
