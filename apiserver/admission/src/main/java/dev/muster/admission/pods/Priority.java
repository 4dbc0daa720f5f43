package dev.muster.admission.pods;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionDenial;
import dev.muster.registry.admission.AdmissionOperation;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.registry.admission.RelatedStatusUpdate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Sets the priority of pods from their priority class, and refuses a second default class. */
public final class Priority implements Admission {
  private static final String CLASSES = "/priorityclasses";
  private static final String PREEMPT = "PreemptLowerPriority";

  @Override
  public JsonObject admit(AdmissionRequest request) {
    if (!Pods.isPod(request)) {
      return Admission.super.admit(request);
    }
    return switch (request.operation()) {
      case CREATE -> create(request);
      case UPDATE -> keep(request.mustObject(), request.mustOldObject());
      case DELETE, CONNECT -> Admission.super.admit(request);
    };
  }

  private static JsonObject create(AdmissionRequest request) {
    var pod = request.mustObject();
    var spec = Pods.spec(pod);
    var name = spec.string("priorityClassName");
    var chosen = name.isEmpty() ? defaultClass(request) : named(request, name);
    long priority = chosen == null ? 0 : chosen.integer("value", 0);
    if (spec.has("priority") && spec.integer("priority", 0) != priority) {
      throw AdmissionDenial.of(
          request,
          ("the integer value of priority (%d) must not be provided in pod spec; priority"
                  + " admission controller computed %d from the given PriorityClass name")
              .formatted(spec.integer("priority", 0), priority));
    }
    if (chosen != null) {
      spec = spec.with("priorityClassName", chosen.object("metadata").string("name"));
    }
    spec = spec.with("priority", priority);
    var policy = chosen == null ? PREEMPT : chosen.string("preemptionPolicy");
    if (!policy.isEmpty()) {
      var given = spec.string("preemptionPolicy");
      if (spec.has("preemptionPolicy") && !given.equals(policy)) {
        throw AdmissionDenial.of(
            request,
            ("the string value of PreemptionPolicy (%s) must not be provided in pod spec; priority"
                    + " admission controller computed %s from the given PriorityClass name")
                .formatted(given, policy));
      }
      spec = spec.with("preemptionPolicy", policy);
    }
    return Pods.withSpec(pod, spec);
  }

  private static JsonObject named(AdmissionRequest request, String name) {
    var found = request.cluster().get(CLASSES, "", name);
    if (found == null) {
      throw AdmissionDenial.of(request, "no PriorityClass with name " + name + " was found");
    }
    return found;
  }

  /** The default class; of several, which a race can create, the one with the lowest value. */
  private static @Nullable JsonObject defaultClass(AdmissionRequest request) {
    JsonObject lowest = null;
    for (var one : request.cluster().list(CLASSES, "")) {
      if (one.isTrue("globalDefault")
          && (lowest == null || one.integer("value", 0) < lowest.integer("value", 0))) {
        lowest = one;
      }
    }
    return lowest;
  }

  private static JsonObject keep(JsonObject pod, JsonObject old) {
    var spec = keep(Pods.spec(pod), Pods.spec(old), "priority");
    spec = keep(spec, Pods.spec(old), "preemptionPolicy");
    return spec == Pods.spec(pod) ? pod : Pods.withSpec(pod, spec);
  }

  private static JsonObject keep(JsonObject spec, JsonObject old, String field) {
    Json before = old.get(field);
    return spec.has(field) || before == null ? spec : spec.with(field, before);
  }

  @Override
  public List<RelatedStatusUpdate> validate(AdmissionRequest request) {
    if (request.createsOrUpdates()
        && request.isFor("scheduling.k8s.io", "priorityclasses")
        && request.mustObject().isTrue("globalDefault")) {
      var other = defaultClass(request);
      var name = other == null ? "" : other.object("metadata").string("name");
      if (other != null
          && (request.operation() == AdmissionOperation.CREATE
              || !name.equals(request.mustObject().object("metadata").string("name")))) {
        throw AdmissionDenial.of(
            request,
            "PriorityClass " + name + " is already marked as default. Only one default can exist");
      }
    }
    return List.of();
  }
}
