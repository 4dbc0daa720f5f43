package dev.muster.admission.objects;

import dev.muster.admission.config.AdmissionConfiguration;
import dev.muster.model.json.JsonInteger;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.registry.admission.RelatedStatusUpdate;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Limits the rate of event writes, in both API groups of events together. Thread-safe. */
public final class EventRateLimit implements Admission {
  private static final int USUAL_CACHE = 4096;
  private static final Set<String> GROUPS = Set.of("", "events.k8s.io");

  /** The dimension by which events are counted. */
  private enum LimitType {
    SERVER("Server"),
    NAMESPACE("Namespace"),
    USER("User"),
    SOURCE_AND_OBJECT("SourceAndObject");

    private final String text;

    LimitType(String text) {
      this.text = text;
    }

    static LimitType of(String text, String where) {
      for (var type : values()) {
        if (type.text.equals(text)) {
          return type;
        }
      }
      throw AdmissionConfiguration.wrong(
          where
              + ".type: Unsupported value: \""
              + text
              + "\": supported values: \"Namespace\", \"Server\", \"SourceAndObject\", \"User\"");
    }
  }

  private record Limit(LimitType type, TokenBuckets buckets) {}

  private final List<Limit> limits = new ArrayList<>();

  /**
   * @throws IllegalArgumentException when the configuration is invalid
   */
  public EventRateLimit(JsonObject configuration, InstantSource clock) {
    AdmissionConfiguration.only(
        configuration, Set.of("apiVersion", "kind", "limits"), "EventRateLimit");
    var given = configuration.array("limits").objects();
    if (given.isEmpty()) {
      throw AdmissionConfiguration.wrong("EventRateLimit: limits: must not be empty");
    }
    for (int i = 0; i < given.size(); i++) {
      limits.add(limit(given.get(i), "EventRateLimit: limits[" + i + "]", clock));
    }
  }

  private static Limit limit(JsonObject limit, String where, InstantSource clock) {
    AdmissionConfiguration.only(limit, Set.of("type", "qps", "burst", "cacheSize"), where);
    var type = LimitType.of(limit.string("type"), where);
    long size = limit.integer("cacheSize", 0);
    if (size < 0) {
      throw AdmissionConfiguration.wrong(where + ".cacheSize: must not be negative");
    }
    return new Limit(
        type,
        new TokenBuckets(
            positive(limit, "qps", where),
            positive(limit, "burst", where),
            size == 0 ? USUAL_CACHE : (int) Math.min(size, Integer.MAX_VALUE),
            clock));
  }

  private static long positive(JsonObject limit, String field, String where) {
    if (limit.get(field) instanceof JsonInteger number && number.value() > 0) {
      return number.value();
    }
    throw AdmissionConfiguration.wrong(where + "." + field + ": must be positive");
  }

  @Override
  public List<RelatedStatusUpdate> validate(AdmissionRequest request) {
    var resource = request.resource();
    if (!resource.resource().equals("events")
        || !GROUPS.contains(resource.group())
        || !request.createsOrUpdates()
        || request.dryRun()) {
      return List.of();
    }
    var reached = new ArrayList<String>();
    for (var limit : limits) {
      var key = key(limit.type(), request);
      if (!limit.buckets().take(key)) {
        reached.add("limit reached on type " + limit.type().text + " for key " + key);
      }
    }
    if (!reached.isEmpty()) {
      throw new ApiException(
          Reason.TOO_MANY_REQUESTS,
          "Too many requests: "
              + (reached.size() == 1
                  ? reached.getFirst()
                  : "[" + String.join(", ", reached) + "]"));
    }
    return List.of();
  }

  private static String key(LimitType type, AdmissionRequest request) {
    return switch (type) {
      case SERVER -> "";
      case NAMESPACE -> request.namespace();
      case USER -> request.user().name();
      case SOURCE_AND_OBJECT -> {
        var event = request.mustObject();
        var source = event.object(event.has("deprecatedSource") ? "deprecatedSource" : "source");
        var object = event.object(event.has("regarding") ? "regarding" : "involvedObject");
        yield source.string("component")
            + source.string("host")
            + object.string("kind")
            + object.string("namespace")
            + object.string("name")
            + object.string("uid")
            + object.string("apiVersion");
      }
    };
  }
}
