package dev.muster.admission.pods;

import dev.muster.model.Quantity;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.model.quota.PodUsage;
import dev.muster.model.quota.ResourceList;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionDenial;
import dev.muster.registry.admission.AdmissionOperation;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.registry.admission.RelatedStatusUpdate;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Applies the LimitRanges of a namespace to pods and PersistentVolumeClaims: sets defaults and
 * checks limits.
 */
public final class LimitRanger implements Admission {
  private static final String ANNOTATION = "kubernetes.io/limit-ranger";

  @Override
  public JsonObject admit(AdmissionRequest request) {
    if (!applies(request) || !request.isFor("", "pods")) {
      return Admission.super.admit(request);
    }
    var pod = request.mustObject();
    for (var range : ranges(request)) {
      pod = setDefaults(pod, range);
    }
    return pod;
  }

  @Override
  public List<RelatedStatusUpdate> validate(AdmissionRequest request) {
    if (applies(request)) {
      for (var range : ranges(request)) {
        var errors = new ArrayList<String>();
        check(request, range, errors);
        if (!errors.isEmpty()) {
          throw AdmissionDenial.of(request, aggregate(errors));
        }
      }
    }
    return List.of();
  }

  /**
   * Applies to the creation and the {@code resize} subresource of pods, and to all writes of
   * claims.
   */
  private static boolean applies(AdmissionRequest request) {
    var old = request.oldObject();
    if (request.object() == null
        || (old != null && old.object("metadata").has("deletionTimestamp"))) {
      return false;
    }
    boolean create = request.operation() == AdmissionOperation.CREATE;
    boolean update = request.operation() == AdmissionOperation.UPDATE;
    if (request.isFor("", "pods")) {
      return (create && request.subresource().isEmpty())
          || (update && request.subresource().equals("resize"));
    }
    return request.isFor("", "persistentvolumeclaims")
        && request.subresource().isEmpty()
        && (create || update);
  }

  private static List<JsonObject> ranges(AdmissionRequest request) {
    return request.cluster().list("/limitranges", request.namespace());
  }

  private static List<JsonObject> limits(JsonObject range, String type) {
    return range.object("spec").array("limits").objects().stream()
        .filter(limit -> limit.string("type").equals(type))
        .toList();
  }

  private static JsonObject setDefaults(JsonObject pod, JsonObject range) {
    var requests = JsonObject.builder();
    var limits = JsonObject.builder();
    for (var limit : limits(range, "Container")) {
      putAll(requests, limit.object("defaultRequest"));
      putAll(limits, limit.object("default"));
    }
    var requested = requests.build();
    var limited = limits.build();
    if (requested.isEmpty() && limited.isEmpty()) {
      return pod;
    }
    var notes = new ArrayList<String>();
    var spec =
        Pods.mapObjects(
            Pods.spec(pod),
            "containers",
            container -> merge(container, requested, limited, "container", notes));
    spec =
        Pods.mapObjects(
            spec,
            "initContainers",
            container -> merge(container, requested, limited, "init container", notes));
    return notes.isEmpty()
        ? pod
        : Pods.withSpec(pod, spec)
            .withAt(
                Json.of("LimitRanger plugin set: " + String.join("; ", notes)),
                "metadata",
                "annotations",
                ANNOTATION);
  }

  private static void putAll(JsonObject.Builder to, JsonObject from) {
    for (int i = 0; i < from.size(); i++) {
      to.put(from.key(i), from.value(i));
    }
  }

  private static JsonObject merge(
      JsonObject container,
      JsonObject requests,
      JsonObject limits,
      String kind,
      List<String> notes) {
    var name = container.string("name");
    var resources = container.object("resources");
    var setRequests = missing(resources.object("requests"), requests);
    var setLimits = missing(resources.object("limits"), limits);
    if (!setRequests.isEmpty()) {
      notes.add(String.join(", ", setRequests) + " request for " + kind + " " + name);
    }
    if (!setLimits.isEmpty()) {
      notes.add(String.join(", ", setLimits) + " limit for " + kind + " " + name);
    }
    if (setRequests.isEmpty() && setLimits.isEmpty()) {
      return container;
    }
    var merged = fill(fill(resources, "limits", limits), "requests", requests);
    return container.with("resources", merged);
  }

  private static Set<String> missing(JsonObject given, JsonObject defaults) {
    var names = new TreeSet<>(defaults.keys());
    given.keys().forEach(names::remove);
    return names;
  }

  private static JsonObject fill(JsonObject resources, String field, JsonObject defaults) {
    var given = resources.object(field);
    var filled = given.toBuilder();
    for (int i = 0; i < defaults.size(); i++) {
      if (!given.has(defaults.key(i))) {
        filled.put(defaults.key(i), defaults.value(i));
      }
    }
    var all = filled.build();
    return all.isEmpty() ? resources : resources.with(field, all);
  }

  private static void check(AdmissionRequest request, JsonObject range, List<String> errors) {
    var spec = request.mustObject().object("spec");
    if (request.isFor("", "persistentvolumeclaims")) {
      var requests = ResourceList.of(spec.object("resources", "requests"));
      for (var limit : limits(range, "PersistentVolumeClaim")) {
        var usage = new Usage("PersistentVolumeClaim", requests, new ResourceList());
        each(limit, "min", (name, amount) -> usage.min(name, amount, errors));
        each(limit, "max", (name, amount) -> usage.maxRequest(name, amount, errors));
      }
      return;
    }
    for (var limit : range.object("spec").array("limits").objects()) {
      switch (limit.string("type")) {
        case "Container" -> {
          for (var container : Pods.containers(spec, "containers", "initContainers")) {
            var resources = container.object("resources");
            check(
                limit,
                new Usage(
                    "Container",
                    ResourceList.of(resources.object("requests")),
                    ResourceList.of(resources.object("limits"))),
                errors);
          }
        }
        case "Pod" ->
            check(
                limit,
                new Usage("Pod", PodUsage.of(spec, "requests"), PodUsage.of(spec, "limits")),
                errors);
        default -> {
          // Limits of claims do not apply to pods.
        }
      }
    }
  }

  private static void check(JsonObject limit, Usage usage, List<String> errors) {
    each(limit, "min", (name, amount) -> usage.min(name, amount, errors));
    each(limit, "max", (name, amount) -> usage.max(name, amount, errors));
    each(limit, "maxLimitRequestRatio", (name, amount) -> usage.ratio(name, amount, errors));
  }

  private interface Constraint {
    void check(String name, Quantity amount);
  }

  private static void each(JsonObject limit, String field, Constraint constraint) {
    ResourceList.of(limit.object(field)).amounts().forEach(constraint::check);
  }

  private static String aggregate(List<String> errors) {
    var distinct = errors.stream().distinct().toList();
    return distinct.size() == 1 ? distinct.getFirst() : "[" + String.join(", ", distinct) + "]";
  }

  /** The requests and limits of one object, to be compared with a LimitRange. */
  private record Usage(String type, ResourceList requests, ResourceList limits) {
    private static final long MOST_MILLI = Long.MAX_VALUE / 1000;

    /** The amounts in thousandths if all fit, otherwise in whole units. */
    private long[] values(String name, Quantity enforced) {
      var request = requests.get(name);
      var limit = limits.get(name);
      boolean precise =
          request.value() <= MOST_MILLI
              && limit.value() <= MOST_MILLI
              && enforced.value() <= MOST_MILLI;
      return precise
          ? new long[] {request.milliValue(), limit.milliValue(), enforced.milliValue()}
          : new long[] {request.value(), limit.value(), enforced.value()};
    }

    void min(String name, Quantity least, List<String> errors) {
      var start = "minimum " + name + " usage per " + type + " is " + least;
      var values = values(name, least);
      if (!requests.has(name)) {
        errors.add(start + ".  No request is specified");
      } else if (values[0] < values[2]) {
        errors.add(start + ", but request is " + requests.get(name));
      } else if (limits.has(name) && values[1] < values[2]) {
        errors.add(start + ", but limit is " + limits.get(name));
      }
    }

    void max(String name, Quantity most, List<String> errors) {
      var start = "maximum " + name + " usage per " + type + " is " + most;
      var values = values(name, most);
      if (!limits.has(name)) {
        errors.add(start + ".  No limit is specified");
      } else if (values[1] > values[2]) {
        errors.add(start + ", but limit is " + limits.get(name));
      } else if (requests.has(name) && values[0] > values[2]) {
        errors.add(start + ", but request is " + requests.get(name));
      }
    }

    void maxRequest(String name, Quantity most, List<String> errors) {
      var start = "maximum " + name + " usage per " + type + " is " + most;
      var values = values(name, most);
      if (!requests.has(name)) {
        errors.add(start + ".  No request is specified");
      } else if (values[0] > values[2]) {
        errors.add(start + ", but request is " + requests.get(name));
      }
    }

    void ratio(String name, Quantity most, List<String> errors) {
      var start = name + " max limit to request ratio per " + type + " is " + most;
      var values = values(name, most);
      if (values[0] == 0) {
        errors.add(start + ", but no request is specified or request is 0");
      } else if (values[1] == 0) {
        errors.add(start + ", but no limit is specified or limit is 0");
      } else {
        double ratio = (double) values[1] / values[0];
        boolean exceeded =
            most.value() <= MOST_MILLI ? ratio * 1000 > most.milliValue() : ratio > most.value();
        if (exceeded) {
          var shown = new BigDecimal(ratio).setScale(6, RoundingMode.HALF_EVEN).toPlainString();
          errors.add(start + ", but provided ratio is " + shown);
        }
      }
    }
  }
}
