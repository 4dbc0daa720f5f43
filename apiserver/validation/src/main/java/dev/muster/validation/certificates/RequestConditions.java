package dev.muster.validation.certificates;

import dev.muster.model.Timestamps;
import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.validation.FieldCursor;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Validates the conditions of a CertificateSigningRequest: Approved or Denied, which are final, and
 * Failed.
 */
final class RequestConditions {
  private static final String APPROVED = "Approved";
  private static final String DENIED = "Denied";
  private static final String FAILED = "Failed";
  private static final List<String> VERDICTS = List.of(APPROVED, DENIED);
  private static final Set<String> NEVER_UNTRUE = Set.of(APPROVED, DENIED, FAILED);
  private static final List<String> STATUSES = List.of("False", "True", "Unknown");
  private static final InstantSource CLOCK = InstantSource.system();

  private RequestConditions() {}

  /**
   * Validates conditions; values that an older server accepted stay valid while they do not change.
   */
  static void check(FieldCursor conditions) {
    var before = types(conditions.before());
    boolean namesTypes = !before.contains("");
    boolean excludes = !before.containsAll(VERDICTS);
    boolean unique = new HashSet<>(before).size() == before.size();
    var seen = new HashSet<String>();
    for (var condition : conditions.items()) {
      var type = condition.at("type");
      if (namesTypes && type.isEmpty()) {
        type.required("");
      }
      status(condition.at("status"), type.text());
      if (excludes && VERDICTS.contains(type.text()) && seen.contains(other(type.text()))) {
        conditions.invalid(
            Json.of(type.text()), "Approved and Denied conditions are mutually exclusive");
      }
      if (!seen.add(type.text()) && unique) {
        type.duplicate();
      }
    }
  }

  private static String other(String verdict) {
    return verdict.equals(APPROVED) ? DENIED : APPROVED;
  }

  private static List<String> types(FieldCursor conditions) {
    return conditions.items().stream().map(condition -> condition.at("type").text()).toList();
  }

  private static void status(FieldCursor status, String type) {
    var allowed = NEVER_UNTRUE.contains(type) ? List.of("True") : STATUSES;
    if (status.isEmpty()) {
      status.required("");
    } else if (!allowed.contains(status.text())) {
      status.notSupported(allowed);
    }
  }

  /** Refuses the removal of an Approved, Denied or Failed condition. */
  static void kept(FieldCursor request) {
    var conditions = request.at("status", "conditions");
    for (var type : List.of(APPROVED, DENIED, FAILED)) {
      if (count(conditions, type) < count(conditions.before(), type)) {
        conditions.forbidden("updates may not remove a condition of type " + GoText.quote(type));
      }
    }
  }

  /** Refuses to remove these conditions, and to add an Approved or Denied condition. */
  static void keptWhole(FieldCursor request) {
    kept(request);
    var conditions = request.at("status", "conditions");
    for (var type : VERDICTS) {
      if (count(conditions, type) > count(conditions.before(), type)) {
        conditions.forbidden("updates may not add a condition of type " + GoText.quote(type));
      }
    }
  }

  private static long count(FieldCursor conditions, String type) {
    return types(conditions).stream().filter(type::equals).count();
  }

  /** The status with the old Approved and Denied conditions, and with missing times set. */
  static JsonObject prepared(JsonObject request, JsonObject old) {
    var kept = request;
    for (var type : VERDICTS) {
      kept = withOld(kept, old, type);
    }
    return timed(kept, old);
  }

  private static JsonObject withOld(JsonObject request, JsonObject old, String type) {
    var now = request.object("status").array("conditions").objects();
    var before = ofType(old, type);
    if (now.stream().filter(condition -> condition.string("type").equals(type)).count()
        != before.size()) {
      return request;
    }
    var merged = new ArrayList<Json>();
    var next = before.iterator();
    for (var condition : now) {
      merged.add(condition.string("type").equals(type) ? next.next() : condition);
    }
    return withConditions(request, merged);
  }

  private static List<JsonObject> ofType(JsonObject request, String type) {
    return request.object("status").array("conditions").objects().stream()
        .filter(condition -> condition.string("type").equals(type))
        .toList();
  }

  /** The request with missing condition times set. */
  static JsonObject timed(JsonObject request, JsonObject old) {
    var now = Json.of(Timestamps.format(CLOCK.instant()));
    var since = new HashMap<Kind, Json>();
    for (var condition : old.object("status").array("conditions").objects()) {
      if (!isUnset(condition, "lastTransitionTime")) {
        since.putIfAbsent(Kind.of(condition), Json.of(condition.string("lastTransitionTime")));
      }
    }
    var timed = new ArrayList<Json>();
    for (var condition : request.object("status").array("conditions").objects()) {
      var filled = condition;
      if (isUnset(filled, "lastUpdateTime")) {
        filled = filled.with("lastUpdateTime", now);
      }
      if (isUnset(filled, "lastTransitionTime")) {
        filled = filled.with("lastTransitionTime", since.getOrDefault(Kind.of(condition), now));
      }
      timed.add(filled);
    }
    return withConditions(request, timed);
  }

  private static boolean isUnset(JsonObject condition, String field) {
    return condition.string(field).isEmpty();
  }

  /** The type and status of a condition. */
  private record Kind(String type, String status) {
    static Kind of(JsonObject condition) {
      return new Kind(condition.string("type"), condition.string("status"));
    }
  }

  private static JsonObject withConditions(JsonObject request, List<Json> conditions) {
    return conditions.isEmpty()
        ? request
        : request.withAt(JsonArray.of(conditions.toArray(Json[]::new)), "status", "conditions");
  }
}
