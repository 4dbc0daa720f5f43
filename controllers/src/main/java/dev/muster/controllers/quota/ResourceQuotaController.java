package dev.muster.controllers.quota;

import dev.muster.controllers.ApiRequests;
import dev.muster.controllers.ApiResource;
import dev.muster.controllers.CachedLoop;
import dev.muster.controllers.Controller;
import dev.muster.controllers.Discovery;
import dev.muster.controllers.ObjectCache;
import dev.muster.controllers.ObjectKey;
import dev.muster.controllers.WorkQueue;
import dev.muster.model.json.JsonObject;
import dev.muster.model.quota.ResourceList;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Works on virtual threads, one quota on one of them at a time. Every ResourceQuota's status says
 * what its namespace takes. Admission adds what is created; this counts a quota that is new or has
 * changed, and counts again when something was given back, and now and then for all that neither of
 * the two has seen.
 *
 * <p>A count is read from the API server after the quota was, and written only to that version of
 * it: what admission adds meanwhile is never lost.
 */
public final class ResourceQuotaController implements Controller {
  private static final Logger log = LoggerFactory.getLogger(ResourceQuotaController.class);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
  private static final Duration DISCOVERY_PERIOD = Duration.ofSeconds(30);
  private static final Duration SETTLING = Duration.ofMillis(200);
  private static final String DISCOVERY = "discovery";

  private final int parallel;
  private final Duration resyncPeriod;
  private final Clock clock;

  /**
   * @param parallel how many quotas are counted at a time
   * @param resyncPeriod after which a quota is counted again in any case
   */
  public ResourceQuotaController(int parallel, Duration resyncPeriod) {
    this.parallel = parallel;
    this.resyncPeriod = resyncPeriod;
    this.clock = Clock.systemUTC();
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
    private final Replenishment replenishment;
    private final CachedLoop<ObjectKey> loop;
    private final ObjectCache cache;
    private final WorkQueue<String> discoveries;
    private volatile @Nullable CountedResources resources;

    Running(KubernetesClient client) {
      this.client = client;
      requests = new ApiRequests(client);
      quotas = new ApiResource(requests, "/api/v1", "resourcequotas");
      replenishment = new Replenishment(requests, this::recount);
      loop = new CachedLoop<>("resourcequota_primary", requests);
      discoveries =
          new WorkQueue<>("resourcequota_discovery", 1, DISCOVERY_PERIOD, key -> discover());
      cache = loop.cache(quotas.path(""), ObjectCache::whole, this::changed);
      loop.start(parallel, LONGEST_PAUSE, this::count);
      discoveries.add(DISCOVERY);
    }

    private void changed(@Nullable JsonObject old, @Nullable JsonObject now) {
      boolean same = old != null && now != null && old.object("spec").equals(now.object("spec"));
      if (!same) {
        discoveries.addAfter(DISCOVERY, SETTLING);
      }
      if (now != null && (!same || !QuotaStatus.isCounted(now))) {
        loop.add(ObjectKey.of(now));
      }
    }

    /** Follows what quotas are about; groups and definitions come and go without a word. */
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
      for (var quota : cache.list(namespace)) {
        if (!counted.measure().matching(quota.object("spec", "hard").keys()).isEmpty()) {
          loop.add(ObjectKey.of(quota));
        }
      }
    }

    /** Whether all was counted that can be. */
    private boolean count(ObjectKey key) {
      var known = resources;
      if (known == null) {
        return false;
      }
      var quota = quotas.get(key.namespace(), key.name()).orElse(null);
      if (quota == null) {
        return true;
      }
      var names = quota.object("spec", "hard").keys();
      var counted = new ResourceList();
      var unknown = new HashSet<String>();
      boolean whole = true;
      for (var resource : known.about(names, key.namespace())) {
        var tally = new QuotaTally(quota, resource.measure(), resource.measure().matching(names));
        try {
          resource.list(key.namespace(), tally::add);
          counted.add(tally.sum());
        } catch (KubernetesClientException e) {
          log.info("{} of {}: {}", resource.resource().plural(), key, e.getMessage());
          unknown.addAll(resource.measure().matching(names));
          whole = ApiResource.isGone(e) && whole;
        }
      }
      counted.amounts().keySet().removeAll(unknown);
      try {
        QuotaStatus.after(quota, counted).map(quotas::updateStatus).ifPresent(cache::written);
      } catch (KubernetesClientException e) {
        if (ApiResource.isGone(e)) {
          return true;
        }
        throw e;
      }
      loop.addAfter(key, resyncPeriod);
      return whole;
    }

    @Override
    public void close() {
      discoveries.close();
      replenishment.close();
      loop.close();
    }
  }
}
