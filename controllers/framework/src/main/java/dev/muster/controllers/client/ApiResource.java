package dev.muster.controllers.client;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A client for one resource that uses JSON trees instead of the client's models. That is cheaper
 * where few fields matter, and keeps fields that the models do not know. Thread-safe. Blocks the
 * caller.
 *
 * @param prefix of the group and version, such as {@code /apis/apps/v1}
 */
public record ApiResource(ApiRequests requests, String prefix, String plural) {
  private static final int PAGE = 500;
  private static final int NOT_FOUND = 404;
  private static final String JSON = "application/json";

  /** The path of the collection in all namespaces, or in one. */
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

  /** Lists all objects of a namespace, or of all namespaces if it is empty, page by page. */
  public void list(String namespace, Consumer<JsonObject> each) {
    list(namespace, JSON, each);
  }

  /** Lists the metadata of all objects. */
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

  /** Replaces the object; fails with a conflict if its resourceVersion has changed. */
  public JsonObject update(JsonObject object) {
    return write("PUT", path(object), JSON, object);
  }

  public JsonObject updateStatus(JsonObject object) {
    return write("PUT", path(object) + "/status", JSON, object);
  }

  /** Replaces a subresource, such as {@code approval}. */
  public JsonObject update(JsonObject object, String subresource) {
    return write("PUT", path(object) + "/" + subresource, JSON, object);
  }

  /**
   * Applies a JSON merge patch to the object, or to its subresource if the name ends with one.
   *
   * @param query empty, or begins with a question mark
   */
  public JsonObject merge(String namespace, String name, JsonObject patch, String query) {
    return write(
        "PATCH", path(namespace) + "/" + name + query, "application/merge-patch+json", patch);
  }

  /** Server-side apply with that field manager and force. */
  public JsonObject apply(JsonObject object, String manager) {
    return write(
        "PATCH",
        path(object) + "?force=true&fieldManager=" + manager,
        "application/apply-patch+yaml",
        object);
  }

  /** Server-side apply of the status with that field manager and force. */
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

  /**
   * Deletes the object with preconditions on UID and resourceVersion; does nothing if it does not
   * exist.
   */
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

  /** Removes a finalizer, whatever other fields change meanwhile. */
  public void removeFinalizer(JsonObject object, String finalizer) {
    var left =
        object.object("metadata").array("finalizers").strings().stream()
            .filter(name -> !name.equals(finalizer))
            .map(Json::of)
            .toList();
    update(object.withAt(JsonArray.of(left), "metadata", "finalizers"));
  }

  /** Whether a failure means that the object does not exist. */
  public static boolean isGone(KubernetesClientException failure) {
    return failure.getCode() == NOT_FOUND;
  }

  /** Whether a failure is a conflict with another write. */
  public static boolean isConflict(KubernetesClientException failure) {
    return failure.getCode() == 409;
  }
}
