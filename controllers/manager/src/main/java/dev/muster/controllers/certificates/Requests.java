package dev.muster.controllers.certificates;

import dev.muster.controllers.ObjectKey;
import dev.muster.controllers.client.ApiRequests;
import dev.muster.controllers.client.ApiResource;
import dev.muster.controllers.loop.CachedLoop;
import dev.muster.controllers.loop.Loops;
import dev.muster.controllers.loop.ObjectCache;
import dev.muster.model.json.JsonObject;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** The common base of the controllers for CertificateSigningRequests. */
final class Requests {
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);
  private static final int PARALLEL = 5;

  private Requests() {}

  static ApiResource resource(ApiRequests requests) {
    return new ApiResource(requests, "/apis/certificates.k8s.io/v1", "certificatesigningrequests");
  }

  /** Processes the wanted requests until they are no longer wanted. */
  static AutoCloseable follow(
      String queue, Loops loops, Predicate<JsonObject> wanted, Consumer<JsonObject> work) {
    var resource = resource(loops.requests());
    var loop = new CachedLoop<ObjectKey>(queue, loops);
    loop.cache(
        resource.path(""),
        ObjectCache::whole,
        (old, now) -> {
          if (now != null && wanted.test(now)) {
            loop.add(ObjectKey.of(now));
          }
        });
    return loop.start(
        PARALLEL,
        LONGEST_PAUSE,
        key -> {
          try {
            resource.get("", key.name()).filter(wanted).ifPresent(work);
          } catch (KubernetesClientException e) {
            if (!ApiResource.isGone(e)) {
              throw e;
            }
          }
          return true;
        });
  }
}
