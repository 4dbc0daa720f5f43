package dev.muster.controllers;

import dev.muster.controllers.client.ApiResource;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import io.fabric8.kubernetes.client.KubernetesClientException;

/** Adds a finalizer to objects and removes it when nothing uses the object any more. */
public final class Finalizers {
  private Finalizers() {}

  public static boolean isDeleting(JsonObject object) {
    return object.object("metadata").has("deletionTimestamp");
  }

  public static boolean has(JsonObject object, String finalizer) {
    return object.object("metadata").array("finalizers").strings().contains(finalizer);
  }

  /** Whether the object lacks the finalizer, or is being deleted and still has it. */
  public static boolean needsWork(JsonObject object, String finalizer) {
    return isDeleting(object) == has(object, finalizer);
  }

  public static JsonObject add(ApiResource resource, JsonObject object, String finalizer) {
    var finalizers = object.object("metadata").array("finalizers").plus(Json.of(finalizer));
    return resource.update(object.withAt(finalizers, "metadata", "finalizers"));
  }

  /** Does nothing if the object no longer exists. */
  public static void remove(ApiResource resource, JsonObject object, String finalizer) {
    try {
      resource.removeFinalizer(object, finalizer);
    } catch (KubernetesClientException e) {
      if (!ApiResource.isGone(e)) {
        throw e;
      }
    }
  }
}
