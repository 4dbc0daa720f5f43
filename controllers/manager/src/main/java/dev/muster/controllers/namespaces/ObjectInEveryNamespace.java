package dev.muster.controllers.namespaces;

import dev.muster.controllers.Finalizers;
import dev.muster.controllers.ObjectKey;
import dev.muster.controllers.client.ApiResource;
import dev.muster.controllers.loop.CachedLoop;
import dev.muster.controllers.loop.LoopController;
import dev.muster.controllers.loop.Loops;
import dev.muster.controllers.loop.ObjectCache;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Maintains an object of one name in every namespace that is not being deleted; a deleted or
 * changed object is restored. Works on virtual threads, one namespace on one of them at a time.
 *
 * @param plural of the core group
 * @param desired the object without a namespace; an existing object gets its data, if it has any
 */
public record ObjectInEveryNamespace(String name, String plural, JsonObject desired)
    implements LoopController {
  private static final int PARALLEL = 4;
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  /** The service account {@code default}. */
  public static ObjectInEveryNamespace serviceAccounts() {
    return new ObjectInEveryNamespace(
        "serviceaccount-controller",
        "serviceaccounts",
        JsonObject.of(
            "apiVersion",
            "v1",
            "kind",
            "ServiceAccount",
            "metadata",
            JsonObject.of("name", "default")));
  }

  /** The ConfigMap with the certificate authorities by which pods verify the API server. */
  public static ObjectInEveryNamespace rootCertificates(String bundle) {
    return new ObjectInEveryNamespace(
        "root-ca-certificate-publisher-controller",
        "configmaps",
        JsonObject.of(
            "apiVersion",
            "v1",
            "kind",
            "ConfigMap",
            "metadata",
            JsonObject.of(
                "name",
                "kube-root-ca.crt",
                "annotations",
                JsonObject.of(
                    "kubernetes.io/description",
                    "CA bundle that verifies the API server at its internal endpoints, such as"
                        + " kubernetes.default.svc; not meant for anything else.")),
            "data",
            JsonObject.of("ca.crt", bundle)));
  }

  @Override
  public AutoCloseable start(Loops loops) {
    var namespaces = new ApiResource(loops.requests(), "/api/v1", "namespaces");
    var objects = new ApiResource(loops.requests(), "/api/v1", plural);
    var loop = new CachedLoop<String>(name, loops);
    var all =
        loop.cache(
            namespaces.path(""),
            ObjectInEveryNamespace::keep,
            (old, now) -> loop.add(place(old, now).name()));
    loop.cache(
        objects.path("") + "?fieldSelector=metadata.name%3D" + ObjectKey.of(desired).name(),
        ObjectInEveryNamespace::keep,
        (old, now) -> loop.add(place(old, now).namespace()),
        // An object that was written here and then deleted during a watch gap causes no event, so
        // all are checked.
        () -> all.list("").forEach(namespace -> loop.add(ObjectKey.of(namespace).name())));
    return loop.start(PARALLEL, LONGEST_PAUSE, namespace -> ensure(namespaces, objects, namespace));
  }

  private static JsonObject keep(JsonObject object) {
    return JsonObject.of("metadata", ObjectCache.identity(object));
  }

  private static ObjectKey place(@Nullable JsonObject old, @Nullable JsonObject now) {
    return ObjectKey.of(Objects.requireNonNull(now == null ? old : now));
  }

  /** Reads both live: a cache may be too old to decide by. */
  private boolean ensure(ApiResource namespaces, ApiResource objects, String name) {
    var namespace = namespaces.get("", name);
    if (namespace.isEmpty() || Finalizers.isDeleting(namespace.get())) {
      return true;
    }
    var placed = desired.withAt(Json.of(name), "metadata", "namespace");
    var present = objects.get(name, ObjectKey.of(desired).name());
    try {
      if (present.isEmpty()) {
        objects.create(placed);
      } else if (desired.has("data")
          && !present.get().object("data").equals(desired.object("data"))) {
        objects.update(placed);
      }
      return true;
    } catch (KubernetesClientException e) {
      if (ApiResource.isGone(e)) {
        return true;
      }
      if (ApiResource.isConflict(e)) {
        return false;
      }
      throw e;
    }
  }
}
