package dev.muster.controllers.bootstrap;

import dev.muster.controllers.ObjectKey;
import dev.muster.controllers.client.ApiResource;
import dev.muster.controllers.loop.CachedLoop;
import dev.muster.controllers.loop.LoopController;
import dev.muster.controllers.loop.Loops;
import dev.muster.controllers.loop.ObjectCache;
import java.time.Clock;
import java.time.Duration;

/** Deletes expired bootstrap tokens. Works on one virtual thread. */
public final class BootstrapTokenCleaner implements LoopController {
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

  private final Clock clock;

  public BootstrapTokenCleaner(Clock clock) {
    this.clock = clock;
  }

  @Override
  public String name() {
    return "token-cleaner-controller";
  }

  @Override
  public AutoCloseable start(Loops loops) {
    var requests = loops.requests();
    var secrets = new ApiResource(requests, "/api/v1", "secrets");
    var loop = new CachedLoop<ObjectKey>("token_cleaner", loops);
    var cache =
        loop.cache(
            secrets.path(BootstrapTokens.NAMESPACE)
                + "?fieldSelector=type%3D"
                + BootstrapTokens.TYPE,
            ObjectCache::whole,
            (old, now) -> {
              if (now != null) {
                loop.add(ObjectKey.of(now));
              }
            });
    return loop.start(
        1,
        LONGEST_PAUSE,
        key -> {
          var secret = cache.get(key.namespace(), key.name());
          if (secret != null && BootstrapTokens.isToken(secret)) {
            var now = clock.instant();
            BootstrapTokens.expires(secret)
                .ifPresent(
                    end -> {
                      if (end.isAfter(now)) {
                        loop.addAfter(key, Duration.between(now, end).plusMillis(1));
                      } else {
                        secrets.delete(secret);
                      }
                    });
          }
          return true;
        });
  }
}
