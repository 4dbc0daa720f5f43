package dev.muster.controllers.simulation;

import dev.muster.controllers.ObjectKey;
import dev.muster.controllers.Yaml;
import dev.muster.model.Timestamps;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * One thread at a time. The objects of an API server and its rules about writing them: versions,
 * conflicts, subresources, finalizers, deletion. Every change is kept in the order of its revision,
 * for those who watch to be told of it when they are to be.
 */
public final class SimulatedApi {
  private static final String NAMESPACES = "/api/v1/namespaces";
  private static final List<String> KEPT =
      List.of("uid", "creationTimestamp", "deletionTimestamp", "generation", "namespace", "name");

  /** What happened to an object, which is empty before its beginning and after its end. */
  public record Change(String collection, JsonObject before, JsonObject after) {
    public boolean isEnd() {
      return after.isEmpty();
    }
  }

  /** What a request is answered. */
  record Answer(int code, JsonObject body) {}

  /** A request cannot be carried out. */
  private static final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final int code;

    Refusal(int code, String message) {
      super(message);
      this.code = code;
    }
  }

  private final InstantSource clock;
  private final Map<String, Map<ObjectKey, JsonObject>> collections = new TreeMap<>();
  private final List<Change> log = new ArrayList<>();
  private final Map<String, JsonObject> pages = new LinkedHashMap<>();
  private Predicate<JsonObject> reviews = review -> false;
  private long names;

  SimulatedApi(InstantSource clock) {
    this.clock = clock;
  }

  List<Change> log() {
    return log;
  }

  /** Answers a SubjectAccessReview from now on. */
  public void reviews(Predicate<JsonObject> allowed) {
    reviews = allowed;
  }

  /** Answers a GET of what is no object, such as a document of discovery. */
  public void page(String path, JsonObject document) {
    pages.put(path, document);
  }

  public List<JsonObject> list(String collection) {
    return List.copyOf(objects(collection).values());
  }

  public Optional<JsonObject> get(String collection, String namespace, String name) {
    return Optional.ofNullable(objects(collection).get(new ObjectKey(namespace, name)));
  }

  private Map<ObjectKey, JsonObject> objects(String collection) {
    return collections.computeIfAbsent(
        collection,
        key -> new TreeMap<>((one, other) -> one.toString().compareTo(other.toString())));
  }

  /** A user creates an object; whether there was none. */
  public boolean create(String collection, String yaml) {
    return create(collection, Yaml.object(yaml));
  }

  public boolean create(String collection, JsonObject object) {
    try {
      insert(collection, object);
      return true;
    } catch (Refusal e) {
      return false;
    }
  }

  /** A user changes an object, whatever its version; nothing happens if it is not there. */
  public void change(
      String collection, String namespace, String name, UnaryOperator<JsonObject> change) {
    get(collection, namespace, name)
        .ifPresent(before -> store(collection, before, change.apply(before)));
  }

  /** A user deletes an object; it goes when it has no finalizers. */
  public void delete(String collection, String namespace, String name) {
    get(collection, namespace, name)
        .ifPresent(before -> delete(collection, before, JsonObject.EMPTY));
  }

  /** An object goes at once, whatever its finalizers. */
  public void remove(String collection, String namespace, String name) {
    get(collection, namespace, name)
        .ifPresent(before -> commit(collection, before, JsonObject.EMPTY));
  }

  private JsonObject insert(String collection, JsonObject object) {
    var metadata = object.object("metadata");
    var prefix = metadata.string("generateName");
    var named =
        metadata.string("name").isEmpty() && !prefix.isEmpty()
            ? object.withAt(Json.of(prefix + ++names), "metadata", "name")
            : object;
    var key = ObjectKey.of(named);
    if (objects(collection).containsKey(key)) {
      throw new Refusal(409, key + " already exists");
    }
    if (!key.namespace().isEmpty() && collections.containsKey(NAMESPACES)) {
      var namespace = get(NAMESPACES, "", key.namespace());
      if (namespace.isEmpty()) {
        throw new Refusal(404, "no namespace " + key.namespace());
      }
      if (namespace.get().object("metadata").has("deletionTimestamp")) {
        throw new Refusal(403, key.namespace() + " is being terminated");
      }
    }
    var made =
        named
            .withAt(Json.of("uid-" + ++names), "metadata", "uid")
            .withAt(Json.of(1), "metadata", "generation");
    if (!metadata.has("creationTimestamp")) {
      made =
          made.withAt(Json.of(Timestamps.format(clock.instant())), "metadata", "creationTimestamp");
    }
    return commit(collection, JsonObject.EMPTY, made);
  }

  /** The object as it is after the write; the last state of one that is gone with it. */
  private JsonObject store(String collection, JsonObject before, JsonObject after) {
    var metadata = after.object("metadata");
    boolean deleting = metadata.has("deletionTimestamp");
    var finalizers = metadata.array("finalizers").strings();
    if (before.object("metadata").has("deletionTimestamp")
        && !before.object("metadata").array("finalizers").strings().containsAll(finalizers)) {
      throw new Refusal(422, "no new finalizers can be added if the object is being deleted");
    }
    if (deleting && finalizers.isEmpty() && !before.equals(after)) {
      var grace = metadata.integer("deletionGracePeriodSeconds", 0);
      if (grace == 0) {
        commit(collection, before, JsonObject.EMPTY);
        return after;
      }
    }
    if (before.equals(after)) {
      return before;
    }
    boolean same = before.object("spec").equals(after.object("spec"));
    var generation = before.object("metadata").integer("generation", 0) + (same ? 0 : 1);
    return commit(collection, before, after.withAt(Json.of(generation), "metadata", "generation"));
  }

  private JsonObject commit(String collection, JsonObject before, JsonObject after) {
    var revision = Json.of(Long.toString(log.size() + 1L));
    if (after.isEmpty()) {
      objects(collection).remove(ObjectKey.of(before));
      var last = before.withAt(revision, "metadata", "resourceVersion");
      log.add(new Change(collection, last, JsonObject.EMPTY));
      return before;
    }
    var stored = after.withAt(revision, "metadata", "resourceVersion");
    objects(collection).put(ObjectKey.of(stored), stored);
    log.add(new Change(collection, before, stored));
    return stored;
  }

  private void delete(String collection, JsonObject before, JsonObject options) {
    var metadata = before.object("metadata");
    var finalizers = new ArrayList<>(metadata.array("finalizers").strings());
    if (options.string("propagationPolicy").equals("Foreground")
        && !finalizers.contains("foregroundDeletion")) {
      finalizers.add("foregroundDeletion");
    }
    long grace =
        options.has("gracePeriodSeconds") ? 0 : metadata.integer("deletionGracePeriodSeconds", 0);
    if (finalizers.isEmpty() && grace == 0) {
      commit(collection, before, JsonObject.EMPTY);
    } else if (!metadata.has("deletionTimestamp")) {
      var now = Json.of(Timestamps.format(clock.instant()));
      commit(
          collection,
          before,
          before
              .withAt(now, "metadata", "deletionTimestamp")
              .withAt(JsonArray.ofStrings(finalizers), "metadata", "finalizers"));
    }
  }

  /** A request of the controller. */
  Answer answer(String method, String path, String mediaType, JsonObject body) {
    try {
      return new Answer(200, carryOut(method, path, RequestPath.parse(path), mediaType, body));
    } catch (Refusal e) {
      var message = String.valueOf(e.getMessage());
      return new Answer(e.code, JsonObject.of("message", message));
    }
  }

  private JsonObject carryOut(
      String method, String path, RequestPath place, String mediaType, JsonObject body) {
    if (place.collection().endsWith("/events")) {
      return body.withAt(Json.of("event-" + ++names), "metadata", "name");
    }
    if (place.collection().endsWith("/subjectaccessreviews")) {
      return body.with("status", JsonObject.of("allowed", reviews.test(body)));
    }
    var page = pages.get(path);
    if (page != null) {
      return page;
    }
    if (place.name().isEmpty()) {
      return method.equals("POST") ? insert(place.collection(), body) : all(place);
    }
    var found = objects(place.collection()).get(place.key());
    if (found == null) {
      boolean applies = method.equals("PATCH") && mediaType.contains("apply");
      boolean meant = body.object("metadata").has("uid") && place.subresource().isEmpty();
      throw new Refusal(applies && meant ? 409 : 404, path + " not found");
    }
    return switch (method) {
      case "GET" -> found;
      case "PUT" -> {
        check(found, body.object("metadata"));
        yield store(place.collection(), found, replaced(found, body, place.subresource()));
      }
      case "PATCH" -> {
        check(found, body.object("metadata"));
        yield store(place.collection(), found, patched(found, body, mediaType));
      }
      case "DELETE" -> {
        check(found, body.object("preconditions"));
        delete(place.collection(), found, body);
        yield found;
      }
      default -> throw new Refusal(405, method);
    };
  }

  private JsonObject all(RequestPath place) {
    var items = list(place.collection()).stream().filter(place::selects).toList();
    return JsonObject.of("metadata", JsonObject.EMPTY, "items", JsonArray.of(items));
  }

  private static void check(JsonObject found, JsonObject expected) {
    for (var field : List.of("uid", "resourceVersion")) {
      var wanted = expected.string(field);
      if (!wanted.isEmpty() && !wanted.equals(found.object("metadata").string(field))) {
        throw new Refusal(409, "another " + field);
      }
    }
  }

  private static JsonObject replaced(JsonObject found, JsonObject sent, String subresource) {
    return switch (subresource) {
      case "" -> {
        var metadata = sent.object("metadata").toBuilder();
        KEPT.forEach(field -> metadata.putIf(field, found.object("metadata").get(field)));
        metadata.put("resourceVersion", found.object("metadata").string("resourceVersion"));
        var next = sent.with("metadata", metadata.build());
        yield found.has("status") ? next.with("status", found.object("status")) : next;
      }
      case "approval" ->
          found.withAt(sent.object("status").array("conditions"), "status", "conditions");
      default -> found.with("status", sent.object("status"));
    };
  }

  private static JsonObject patched(JsonObject found, JsonObject patch, String mediaType) {
    var next = found;
    boolean applies = mediaType.contains("apply");
    for (var key : patch.keys()) {
      var value = Objects.requireNonNull(patch.get(key));
      if (key.equals("metadata")) {
        next = applies ? next : next.with(key, merged(next.object(key), patch.object(key)));
      } else if (key.equals("status")) {
        next = next.with(key, applied(next.object(key), patch.object(key)));
      } else {
        next = next.with(key, value);
      }
    }
    return next;
  }

  /** A status with the fields that are applied; conditions go by their type. */
  private static JsonObject applied(JsonObject status, JsonObject fields) {
    var next = status;
    for (var key : fields.keys()) {
      var value = Objects.requireNonNull(fields.get(key));
      if (key.equals("conditions")) {
        var byType = new LinkedHashMap<String, Json>();
        status.array(key).objects().forEach(one -> byType.put(one.string("type"), one));
        fields.array(key).objects().forEach(one -> byType.put(one.string("type"), one));
        value = JsonArray.of(List.copyOf(byType.values()));
      }
      next = next.with(key, value);
    }
    return next;
  }

  private static JsonObject merged(JsonObject target, JsonObject patch) {
    var next = target;
    for (var key : patch.keys()) {
      var value = Objects.requireNonNull(patch.get(key));
      if (value instanceof JsonNull) {
        next = next.without(key);
      } else if (value instanceof JsonObject part) {
        next = next.with(key, merged(next.object(key), part));
      } else {
        next = next.with(key, value);
      }
    }
    return next;
  }
}
