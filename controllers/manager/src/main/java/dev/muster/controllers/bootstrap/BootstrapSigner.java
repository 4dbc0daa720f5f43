package dev.muster.controllers.bootstrap;

import dev.muster.controllers.client.ApiResource;
import dev.muster.controllers.loop.CachedLoop;
import dev.muster.controllers.loop.LoopController;
import dev.muster.controllers.loop.Loops;
import dev.muster.controllers.loop.ObjectCache;
import dev.muster.model.json.JsonObject;
import java.time.Clock;
import java.time.Duration;

/**
 * Signs the ConfigMap {@code cluster-info} in {@code kube-public} with every bootstrap token that
 * allows signing, so that a joining node that knows a token can trust it. Works on one virtual
 * thread.
 */
public final class BootstrapSigner implements LoopController {
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);
  private static final String MAP = "cluster-info";
  private static final String NAMESPACE = "kube-public";

  private final Clock clock;

  public BootstrapSigner(Clock clock) {
    this.clock = clock;
  }

  @Override
  public String name() {
    return "bootstrap-signer-controller";
  }

  @Override
  public AutoCloseable start(Loops loops) {
    var requests = loops.requests();
    var maps = new ApiResource(requests, "/api/v1", "configmaps");
    var loop = new CachedLoop<String>("bootstrap_signer_queue", loops);
    loop.cache(
        maps.path(NAMESPACE) + "?fieldSelector=metadata.name%3D" + MAP,
        ObjectCache::whole,
        (old, now) -> loop.add(MAP));
    var secrets =
        loop.cache(
            "/api/v1/namespaces/%s/secrets?fieldSelector=type%%3D%s"
                .formatted(BootstrapTokens.NAMESPACE, BootstrapTokens.TYPE),
            ObjectCache::whole,
            (old, now) -> loop.add(MAP));
    return loop.start(
        1,
        LONGEST_PAUSE,
        key -> {
          maps.get(NAMESPACE, MAP).ifPresent(map -> sign(maps, map, secrets));
          return true;
        });
  }

  private void sign(ApiResource maps, JsonObject map, ObjectCache secrets) {
    var data = map.object("data");
    if (data.string("kubeconfig").isEmpty()) {
      return;
    }
    var signed =
        BootstrapTokens.signed(data, secrets.list(BootstrapTokens.NAMESPACE), clock.instant());
    if (!signed.equals(data)) {
      maps.update(map.with("data", signed));
    }
  }
}
