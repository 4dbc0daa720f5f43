package dev.muster.server.start;

import dev.muster.model.GroupVersionResource;
import dev.muster.model.json.JsonObject;
import dev.muster.replica.Replica;
import dev.muster.server.options.AuthenticationOptions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Maintains the ConfigMap {@code kube-system/extension-apiserver-authentication}, from which
 * aggregated API servers read the CAs and front proxy settings to trust. It creates the ConfigMap,
 * restores it after a deletion or an edit, and adds new CAs from this server's files. Runs on a
 * virtual thread of its own.
 */
public final class ClusterTrust implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterTrust.class);
  private static final GroupVersionResource CONFIG_MAPS =
      new GroupVersionResource("", "v1", "configmaps");
  private static final String NAMESPACE = "kube-system";
  private static final String NAME = "extension-apiserver-authentication";

  /** How often the files are checked, and how soon a failure is retried. */
  private static final Duration PERIOD = Duration.ofSeconds(10);

  private final RegistryObjects objects;
  private final Replica replica;
  private final AuthenticationOptions options;
  private final InstantSource clock;
  private final BooleanSupplier stopped;
  private volatile long kept = -1;
  private boolean complained;

  public ClusterTrust(
      RegistryObjects objects,
      Replica replica,
      AuthenticationOptions options,
      InstantSource clock,
      BooleanSupplier stopped) {
    this.objects = objects;
    this.replica = replica;
    this.options = options;
    this.clock = clock;
    this.stopped = stopped;
  }

  @Override
  public void run() {
    var published = new Semaphore(1);
    try (var _ = replica.onPublish(() -> report(published))) {
      long nextLook = System.nanoTime();
      while (!stopped.getAsBoolean()) {
        var _ = published.tryAcquire(1, TimeUnit.SECONDS);
        published.drainPermits();
        boolean due = System.nanoTime() - nextLook >= 0;
        if (replica.ready() && hasNamespace() && (due || revision() != kept)) {
          nextLook = System.nanoTime() + PERIOD.toNanos();
          if (keep()) {
            kept = revision();
          }
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The applier's thread runs this. */
  private void report(Semaphore published) {
    if (revision() != kept) {
      published.release();
    }
  }

  private boolean hasNamespace() {
    return replica.current().collection("/namespaces").get("", NAMESPACE) != null;
  }

  private long revision() {
    var stored = replica.current().collection("/configmaps").get(NAMESPACE, NAME);
    return stored == null ? 0 : stored.revision();
  }

  private boolean keep() {
    try {
      var own = ClusterTrustData.of(options);
      objects.change(CONFIG_MAPS, NAMESPACE, NAME, present -> completed(present, own));
      complained = false;
      return true;
    } catch (RuntimeException | Error e) {
      if (!complained && !stopped.getAsBoolean()) {
        LOG.warn("the ConfigMap {}/{} cannot be kept: {}", NAMESPACE, NAME, e.toString());
        complained = true;
      }
      return false;
    }
  }

  /** Null when this server has nothing to publish. */
  private @Nullable JsonObject completed(@Nullable JsonObject present, ClusterTrustData own) {
    if (present == null) {
      var data = own.with(own, clock.instant()).data();
      if (data.isEmpty()) {
        return null;
      }
      return JsonObject.of(
          "kind",
          "ConfigMap",
          "apiVersion",
          "v1",
          "metadata",
          JsonObject.of("name", NAME, "namespace", NAMESPACE),
          "data",
          data);
    }
    var there = ClusterTrustData.read(present.object("data"));
    return present.with("data", there.with(own, clock.instant()).data());
  }
}
