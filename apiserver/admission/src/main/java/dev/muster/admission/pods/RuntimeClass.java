package dev.muster.admission.pods;

import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.model.quota.ResourceList;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionDenial;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.registry.admission.RelatedStatusUpdate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Sets the overhead, node selector and tolerations of a pod from its runtime class. */
public final class RuntimeClass implements Admission {
  private static final String MISMATCH =
      "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";

  private static final String UNFOUNDED =
      "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead";

  @Override
  public JsonObject admit(AdmissionRequest request) {
    if (!Pods.isCreated(request)) {
      return Admission.super.admit(request);
    }
    var pod = request.mustObject();
    var chosen = find(request);
    if (chosen == null) {
      return pod;
    }
    var spec = Pods.spec(pod);
    var overhead = overhead(chosen);
    if (overhead != null) {
      var given = spec.object("overhead");
      if (!given.isEmpty() && !equal(given, overhead)) {
        throw AdmissionDenial.of(request, MISMATCH);
      }
      spec = overhead.isEmpty() ? spec.without("overhead") : spec.with("overhead", overhead);
    }
    if (chosen.get("scheduling") instanceof JsonObject scheduling) {
      spec = schedule(request, spec, scheduling);
    }
    return Pods.withSpec(pod, spec);
  }

  private static @Nullable JsonObject find(AdmissionRequest request) {
    if (!Pods.spec(request.mustObject()).has("runtimeClassName")) {
      return null;
    }
    var text = Pods.spec(request.mustObject()).string("runtimeClassName");
    var found = request.cluster().get("/runtimeclasses", "", text);
    if (found == null) {
      throw AdmissionDenial.of(
          request, "pod rejected: RuntimeClass " + GoText.quote(text) + " not found");
    }
    return found;
  }

  private static @Nullable JsonObject overhead(@Nullable JsonObject chosen) {
    return chosen != null && chosen.get("overhead") instanceof JsonObject overhead
        ? overhead.object("podFixed")
        : null;
  }

  private static boolean equal(JsonObject one, JsonObject other) {
    var amounts = ResourceList.of(one).amounts();
    var others = ResourceList.of(other).amounts();
    return amounts.keySet().equals(others.keySet())
        && amounts.entrySet().stream()
            .allMatch(
                entry -> {
                  var theirs = others.get(entry.getKey());
                  return theirs != null && theirs.compareTo(entry.getValue()) == 0;
                });
  }

  private static JsonObject schedule(
      AdmissionRequest request, JsonObject spec, JsonObject scheduling) {
    var wanted = scheduling.object("nodeSelector");
    var selector = spec.object("nodeSelector").toBuilder();
    for (int i = 0; i < wanted.size(); i++) {
      var key = wanted.key(i);
      var given = spec.object("nodeSelector").get(key);
      if (given != null && !given.equals(wanted.value(i))) {
        throw AdmissionDenial.of(
            request,
            ("conflict: runtimeClass.scheduling.nodeSelector[%s] = %s;"
                    + " pod.spec.nodeSelector[%s] = %s")
                .formatted(key, wanted.value(i).text(), key, given.text()));
      }
      selector.put(key, wanted.value(i));
    }
    var merged = selector.build();
    var changed = merged.isEmpty() ? spec : spec.with("nodeSelector", merged);
    var tolerations =
        Tolerations.merge(
            spec.array("tolerations").objects(), scheduling.array("tolerations").objects());
    return tolerations.isEmpty() ? changed : changed.with("tolerations", JsonArray.of(tolerations));
  }

  @Override
  public List<RelatedStatusUpdate> validate(AdmissionRequest request) {
    if (Pods.isCreated(request)) {
      var overhead = overhead(find(request));
      var given = Pods.spec(request.mustObject()).get("overhead");
      if (overhead == null && given != null) {
        throw AdmissionDenial.of(request, UNFOUNDED);
      }
      if (overhead != null
          && !equal(Pods.spec(request.mustObject()).object("overhead"), overhead)) {
        throw AdmissionDenial.of(request, MISMATCH);
      }
    }
    return List.of();
  }
}
