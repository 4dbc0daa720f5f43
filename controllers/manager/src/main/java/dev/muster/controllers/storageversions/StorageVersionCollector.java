package dev.muster.controllers.storageversions;

import dev.muster.controllers.Controller;
import dev.muster.controllers.client.ApiResource;
import dev.muster.controllers.loop.CachedLoop;
import dev.muster.controllers.loop.Loops;
import dev.muster.controllers.loop.ObjectCache;
import dev.muster.model.identity.IdentityLease;
import dev.muster.model.json.JsonObject;
import dev.muster.model.storageversion.StorageVersionStatus;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes the entries of gone API servers from StorageVersions, so that migrations do not wait for
 * them, and deletes StorageVersions without entries. Works on one virtual thread.
 *
 * <p>A server is gone when it has no identity Lease at three checks, an interval apart. A server
 * with a Lease keeps its entries, however old the Lease is, because the Lease collector decides
 * about Leases. If Leases cannot be read, no server counts as gone.
 */
public final class StorageVersionCollector implements Controller {
  private static final Logger log = LoggerFactory.getLogger(StorageVersionCollector.class);
  private static final String PREFIX = "/apis/internal.apiserver.k8s.io/v1alpha1";
  private static final String LEASES = "/apis/coordination.k8s.io/v1";

  /** The namespace of kube-apiserver's Leases. */
  private static final String UPSTREAM_NAMESPACE = "kube-system";

  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);
  private static final Duration UNTIL_SERVED = Duration.ofSeconds(30);
  private static final Duration USUAL_INTERVAL = Duration.ofSeconds(10);
  private static final String ALL = "all";

  private final Set<String> namespaces;
  private final Duration interval;
  private final Clock clock;

  /**
   * @param namespace of the identity Leases
   */
  public StorageVersionCollector(String namespace, Clock clock) {
    this(namespace, USUAL_INTERVAL, clock);
  }

  /**
   * @param interval between two checks for a Lease
   */
  public StorageVersionCollector(String namespace, Duration interval, Clock clock) {
    this.namespaces = new LinkedHashSet<>(List.of(namespace, UPSTREAM_NAMESPACE));
    this.interval = interval;
    this.clock = clock;
  }

  @Override
  public String name() {
    return "storageversion-garbage-collector-controller";
  }

  @Override
  public AutoCloseable start(KubernetesClient client) {
    var loops = Loops.of(client);
    var path = PREFIX + "/storageversions";
    return ServedApi.await(loops.requests(), path, UNTIL_SERVED, () -> collect(loops));
  }

  /** Starts when the API server serves StorageVersions. */
  CachedLoop<String> collect(Loops loops) {
    return new Running(loops).loop;
  }

  private final class Running {
    private final Loops loops;
    private final ApiResource versions;
    private final ApiResource leases;
    private final CachedLoop<String> loop;
    private final ObjectCache cache;
    private final GoneServers servers = new GoneServers(interval);
    private final GoneServers empty = new GoneServers(interval);

    Running(Loops loops) {
      var requests = loops.requests();
      this.loops = loops;
      versions = new ApiResource(requests, PREFIX, "storageversions");
      leases = new ApiResource(requests, LEASES, "leases");
      loop = new CachedLoop<>(name(), loops);
      cache = loop.cache(versions.path(""), ObjectCache::whole, this::changed);
      for (var namespace : namespaces) {
        loop.cache(
            leases.path(namespace) + "?labelSelector=" + label(), ObjectCache::whole, this::lost);
      }
      loop.start(1, LONGEST_PAUSE, this::sync);
    }

    private void changed(@Nullable JsonObject old, @Nullable JsonObject now) {
      loop.add(ALL);
    }

    /** Ignores renewals. */
    private void lost(@Nullable JsonObject old, @Nullable JsonObject now) {
      if (now == null) {
        loop.add(ALL);
      }
    }

    private boolean sync(String key) {
      var mentioned = new HashSet<String>();
      var silent = new HashSet<String>();
      for (var version : cache.all()) {
        StorageVersionStatus.entries(version)
            .forEach(entry -> mentioned.add(StorageVersionStatus.server(entry)));
        if (StorageVersionEntries.isEmpty(version)) {
          silent.add(nameOf(version));
        }
      }
      long now = loops.nanoTime();
      var gone = servers.check(mentioned, withLease(), now);
      var forgotten = empty.check(silent, Set.of(), now);
      for (var version : cache.all()) {
        collect(version, gone, forgotten);
      }
      if (servers.isSuspicious() || empty.isSuspicious()) {
        loop.addAfter(ALL, interval);
      }
      return true;
    }

    /** The servers that have a Lease now; a Lease without the label is not a server's. */
    private Set<String> withLease() {
      var names = new HashSet<String>();
      for (var namespace : namespaces) {
        leases.listMetadata(
            namespace,
            lease -> {
              if (isIdentity(lease)) {
                names.add(nameOf(lease));
              }
            });
      }
      return names;
    }

    /** Decides on the live object, and writes with its version as precondition. */
    private void collect(JsonObject seen, Set<String> gone, Set<String> forgotten) {
      if (!forgotten.contains(nameOf(seen))
          && !StorageVersionEntries.mentions(seen, gone::contains)) {
        return;
      }
      var version = versions.get("", nameOf(seen)).orElse(JsonObject.EMPTY);
      if (version.isEmpty()) {
        return;
      }
      var kept =
          StorageVersionEntries.keep(version, server -> !gone.contains(server), clock.instant());
      if (StorageVersionEntries.isEmpty(kept)) {
        versions.delete(version);
        log.info("collected StorageVersion {}: no server stores it", nameOf(version));
      } else if (StorageVersionEntries.mentions(version, gone::contains)) {
        cache.written(ObjectCache.whole(versions.updateStatus(kept)));
        log.info("StorageVersion {} is without the servers {}", nameOf(version), gone);
      }
    }
  }

  private static boolean isIdentity(JsonObject lease) {
    var labels = lease.object("metadata").object("labels");
    return labels.string(IdentityLease.LABEL).equals(IdentityLease.LABEL_VALUE);
  }

  private static String nameOf(JsonObject object) {
    return object.object("metadata").string("name");
  }

  private static String label() {
    return IdentityLease.LABEL.replace("/", "%2F") + "%3D" + IdentityLease.LABEL_VALUE;
  }
}
