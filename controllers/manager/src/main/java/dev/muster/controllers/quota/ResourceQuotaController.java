package dev.muster.controllers.quota;

import dev.muster.controllers.Controller;
import dev.muster.controllers.ObjectKey;
import dev.muster.controllers.client.ApiRequests;
import dev.muster.controllers.client.ApiResource;
import dev.muster.controllers.client.Discovery;
import dev.muster.controllers.loop.CachedLoop;
import dev.muster.controllers.loop.Loops;
import dev.muster.controllers.loop.ObjectCache;
import dev.muster.controllers.loop.WorkQueue;
import dev.muster.model.json.JsonObject;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Maintains the used amounts in the status of ResourceQuotas. Admission adds usage at creation.
 * This controller counts a new or changed quota, counts again after a decrease, and recounts
 * periodically for anything missed. Works on virtual threads, one quota on one of them at a time.
 */
public final class ResourceQuotaController implements Controller {
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
  private static final Duration DISCOVERY_PERIOD = Duration.ofSeconds(30);
  private static final Duration SETTLING = Duration.ofMillis(200);
  private static final String DISCOVERY = "discovery";

  private final int parallel;
  private final Duration resyncPeriod;
  private final Clock clock;

  /**
   * @param parallel the number of quotas counted concurrently
   * @param resyncPeriod after which a quota is recounted without a change
   */
  public ResourceQuotaController(int parallel, Duration resyncPeriod, Clock clock) {
    this.parallel = parallel;
    this.resyncPeriod = resyncPeriod;
    this.clock = clock;
  }

  @Override
  public String name() {
    return "resourcequota-controller";
  }

  @Override
  public AutoCloseable start(KubernetesClient client) {
    return new Running(client);
  }

  private final class Running implements AutoCloseable {
    private final KubernetesClient client;
    private final ApiRequests requests;
    private final ApiResource quotas;
    private final QuotaCount counting;
    private final Replenishment replenishment;
    private final CachedLoop<ObjectKey> loop;
    private final ObjectCache cache;
    private final WorkQueue<String> discoveries;
    private volatile @Nullable CountedResources resources;

    Running(KubernetesClient client) {
      this.client = client;
      requests = new ApiRequests(client);
      quotas = new ApiResource(requests, "/api/v1", "resourcequotas");
      counting = new QuotaCount(quotas());
      replenishment = new Replenishment(requests, this::recount);
      loop = new CachedLoop<>("resourcequota_primary", Loops.of(client));
      discoveries =
          new WorkQueue<>("resourcequota_discovery", 1, DISCOVERY_PERIOD, key -> discover());
      cache = loop.cache(quotas.path(""), ObjectCache::whole, this::changed);
      loop.start(parallel, LONGEST_PAUSE, this::count);
      discoveries.add(DISCOVERY);
    }

    private void changed(@Nullable JsonObject old, @Nullable JsonObject now) {
      if (!QuotaCount.isSame(old, now)) {
        discoveries.addAfter(DISCOVERY, SETTLING);
      }
      if (now != null && QuotaCount.isDue(old, now)) {
        loop.add(ObjectKey.of(now));
      }
    }

    private QuotaCount.Quotas quotas() {
      return new QuotaCount.Quotas() {
        @Override
        public Optional<JsonObject> get(ObjectKey key) {
          return quotas.get(key.namespace(), key.name());
        }

        @Override
        public JsonObject updateStatus(JsonObject quota) {
          return quotas.updateStatus(quota);
        }
      };
    }

    /**
     * Follows the resources in discovery, which is repeated because groups and definitions change
     * without an event.
     */
    private boolean discover() {
      ObjectCache.awaitSynced(List.of(cache));
      var all = cache.all();
      if (!all.isEmpty()) {
        var discovery = Discovery.of(client);
        var before = resources;
        var found = CountedResources.of(requests, clock, discovery);
        if (!discovery.failures().isEmpty() && before != null) {
          found = found.with(before);
        }
        resources = found;
        if (before == null || !before.served().keySet().equals(found.served().keySet())) {
          all.forEach(quota -> loop.add(ObjectKey.of(quota)));
        }
      }
      follow();
      discoveries.addAfter(DISCOVERY, DISCOVERY_PERIOD);
      return true;
    }

    private void follow() {
      var known = resources;
      var wanted = new LinkedHashMap<String, CountedResource>();
      if (known != null) {
        var names = new TreeSet<String>();
        cache.all().forEach(quota -> names.addAll(quota.object("spec", "hard").keys()));
        known.about(names, "").forEach(counted -> wanted.put(counted.resource().path(""), counted));
      }
      replenishment.follow(wanted.values());
    }

    private void recount(CountedResource counted, String namespace) {
      var quotas = namespace.equals(Replenishment.EVERYWHERE) ? cache.all() : cache.list(namespace);
      for (var quota : quotas) {
        if (QuotaCount.isAbout(quota, counted.measure())) {
          loop.add(ObjectKey.of(quota));
        }
      }
    }

    /** Whether everything countable was counted. */
    private boolean count(ObjectKey key) {
      var known = resources;
      if (known == null) {
        return false;
      }
      return switch (counting.count(key, known, cache::written)) {
        case GONE -> true;
        case WHOLE -> {
          loop.addAfter(key, resyncPeriod);
          yield true;
        }
        case IN_FORCE -> {
          loop.add(key);
          yield true;
        }
        case PARTIAL -> {
          loop.addAfter(key, resyncPeriod);
          yield false;
        }
      };
    }

    @Override
    public void close() {
      discoveries.close();
      replenishment.close();
      loop.close();
    }
  }
}
