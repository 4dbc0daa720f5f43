package dev.muster.controllers.client;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Safe for any thread; blocks the calling one. The objects of one resource as trees, which is less
 * than the client's models where only a few fields matter, and loses no field that the models do
 * not know.
 *
 * @param prefix of the group and version, such as {@code /apis/apps/v1}
 */
public record ApiResource(ApiRequests requests, String prefix, String plural) {
  private static final int PAGE = 500;
  private static final int NOT_FOUND = 404;
  private static final String JSON = "application/json";

  /** The collection of all namespaces, or of one. */
  public String path(String namespace) {
    return namespace.isEmpty()
        ? prefix + "/" + plural
        : prefix + "/namespaces/" + namespace + "/" + plural;
  }

  private String path(JsonObject object) {
    var metadata = object.object("metadata");
    return path(metadata.string("namespace")) + "/" + metadata.string("name");
  }

  public Optional<JsonObject> get(String namespace, String name) {
    var answer = requests.send("GET", path(namespace) + "/" + name, JSON);
    return answer.code() == NOT_FOUND
        ? Optional.empty()
        : Optional.of(JsonTrees.object(answer.orThrow()));
  }

  /** Shows all objects of a namespace, or of all namespaces if it is empty, page by page. */
  public void list(String namespace, Consumer<JsonObject> each) {
    list(namespace, JSON, each);
  }

  /** Shows the metadata of all objects. */
  public void listMetadata(String namespace, Consumer<JsonObject> each) {
    list(namespace, ApiRequests.METADATA_LIST, each);
  }

  private void list(String namespace, String accept, Consumer<JsonObject> each) {
    var next = "";
    do {
      var page =
          JsonTrees.object(
              requests
                  .send("GET", ApiRequests.page(path(namespace), PAGE, next), accept)
                  .orThrow());
      page.array("items").objects().forEach(each);
      next = page.object("metadata").string("continue");
    } while (!next.isEmpty());
  }

  public JsonObject create(JsonObject object) {
    var namespace = object.object("metadata").string("namespace");
    return write("POST", path(namespace), JSON, object);
  }

  /** Replaces the object if it is still the version that the given one was made from. */
  public JsonObject update(JsonObject object) {
    return write("PUT", path(object), JSON, object);
  }

  public JsonObject updateStatus(JsonObject object) {
    return write("PUT", path(object) + "/status", JSON, object);
  }

  /** Replaces by another subresource, such as {@code approval}. */
  public JsonObject update(JsonObject object, String subresource) {
    return write("PUT", path(object) + "/" + subresource, JSON, object);
  }

  /**
   * Merges a patch into the object, or its subresource when the name goes on with one.
   *
   * @param query is empty, or begins with a question mark
   */
  public JsonObject merge(String namespace, String name, JsonObject patch, String query) {
    return write(
        "PATCH", path(namespace) + "/" + name + query, "application/merge-patch+json", patch);
  }

  /** Applies fields as a manager of that name, by force. */
  public JsonObject apply(JsonObject object, String manager) {
    return write(
        "PATCH",
        path(object) + "?force=true&fieldManager=" + manager,
        "application/apply-patch+yaml",
        object);
  }

  /** Applies fields of the status as a manager of that name, by force. */
  public JsonObject applyStatus(JsonObject object, String manager) {
    return write(
        "PATCH",
        path(object) + "/status?force=true&fieldManager=" + manager,
        "application/apply-patch+yaml",
        object);
  }

  private JsonObject write(String method, String path, String mediaType, JsonObject body) {
    return JsonTrees.object(
        requests.sendText(method, path, JSON, mediaType, body.toString()).orThrow());
  }

  /** Deletes the object if it is that one and has not changed; nothing happens if it is gone. */
  public void delete(JsonObject object) {
    var metadata = object.object("metadata");
    delete(
        object,
        JsonObject.of(
            "preconditions",
            JsonObject.of(
                "uid", metadata.string("uid"),
                "resourceVersion", metadata.string("resourceVersion"))));
  }

  public void delete(JsonObject object, JsonObject options) {
    var answer =
        requests.sendText("DELETE", path(object), ApiRequests.METADATA, JSON, options.toString());
    if (answer.code() != NOT_FOUND) {
      answer.orThrow();
    }
  }

  /** Takes a finalizer away, whatever else changes meanwhile. */
  public void removeFinalizer(JsonObject object, String finalizer) {
    var left =
        object.object("metadata").array("finalizers").strings().stream()
            .filter(name -> !name.equals(finalizer))
            .map(Json::of)
            .toList();
    update(object.withAt(JsonArray.of(left), "metadata", "finalizers"));
  }

  /** Whether a failure means that the object is gone. */
  public static boolean isGone(KubernetesClientException failure) {
    return failure.getCode() == NOT_FOUND;
  }

  /** Whether a failure means that somebody else was faster. */
  public static boolean isConflict(KubernetesClientException failure) {
    return failure.getCode() == 409;
  }
}
