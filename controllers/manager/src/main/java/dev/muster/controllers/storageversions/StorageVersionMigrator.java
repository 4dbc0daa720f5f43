package dev.muster.controllers.storageversions;

import dev.muster.controllers.Controller;
import dev.muster.controllers.loop.CachedLoop;
import dev.muster.controllers.loop.Loops;
import dev.muster.controllers.loop.ObjectCache;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.time.Duration;
import java.util.UUID;

/**
 * Runs StorageVersionMigrations if the API server serves them. Works on a few virtual threads, one
 * per migration.
 */
public final class StorageVersionMigrator implements Controller {
  private static final int PARALLEL = 5;
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);
  private static final Duration USUAL_PAUSE = Duration.ofSeconds(5);
  private static final Duration UNTIL_SERVED = Duration.ofSeconds(30);

  private final Clock clock;
  private final Duration pause;

  public StorageVersionMigrator(Clock clock) {
    this(clock, USUAL_PAUSE);
  }

  /**
   * @param pause between two checks while a migration cannot continue
   */
  public StorageVersionMigrator(Clock clock, Duration pause) {
    this.clock = clock;
    this.pause = pause;
  }

  @Override
  public String name() {
    return "storage-version-migrator-controller";
  }

  @Override
  public AutoCloseable start(KubernetesClient client) {
    var path = HttpMigrationApi.PREFIX + "/" + HttpMigrationApi.PLURAL;
    var loops = Loops.of(client);
    return ServedApi.await(loops.requests(), path, UNTIL_SERVED, () -> loop(client, loops, path));
  }

  private CachedLoop<String> loop(KubernetesClient client, Loops loops, String path) {
    var api = new HttpMigrationApi(client, name(), clock);
    var migration = new Migration(api, clock, UUID.randomUUID().toString(), pause);
    var loop = new CachedLoop<String>(name(), loops);
    loop.cache(
        path,
        ObjectCache::whole,
        (before, now) -> {
          if (now != null) {
            loop.add(now.object("metadata").string("name"));
          }
        });
    return loop.start(
        PARALLEL,
        LONGEST_PAUSE,
        name -> {
          migration.advance(name).ifPresent(time -> loop.addAfter(name, time));
          return true;
        });
  }
}
