package dev.muster.multicluster.dns;

import dev.muster.controllers.client.ApiRequests;
import dev.muster.controllers.loop.Reflector;
import dev.muster.controllers.loop.WorkQueue;
import dev.muster.multicluster.services.Fields;
import dev.muster.multicluster.services.McsApi;
import dev.muster.multicluster.services.ServiceName;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the ServiceImports and imported EndpointSlices of a cluster, and updates the names of
 * changed services in the index. While the API server is unavailable, names stay unchanged. Any
 * thread may close it. Guarded by its own lock.
 */
public final class ZoneFollower implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ZoneFollower.class);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);
  private static final ServiceName WHEN_SYNCED = new ServiceName("", "");

  private final ZoneIndex index;
  private final ZoneOptions options;
  private final WorkQueue<ServiceName> changed;
  private final Map<ServiceName, ImportedService> services = new HashMap<>();
  private final Map<ServiceName, Map<String, ImportedSlice>> slices = new HashMap<>();
  private final Map<ServiceName, ServiceName> owners = new HashMap<>();
  private @Nullable Reflector<ImportedService> imports;
  private @Nullable Reflector<ImportedSlice> endpoints;

  private ZoneFollower(ZoneIndex index, ZoneOptions options) {
    this.index = index;
    this.options = options;
    changed = new WorkQueue<>("dns", 1, LONGEST_PAUSE, this::refresh);
  }

  /** Returns at once; the index is complete when all objects have been read. */
  public static ZoneFollower start(KubernetesClient client, ZoneIndex index, ZoneOptions options) {
    var follower = new ZoneFollower(index, options);
    var requests = new ApiRequests(client);
    follower.follow(requests, version(requests));
    return follower;
  }

  /** A cluster may serve only an older version of the API. */
  private static String version(ApiRequests requests) {
    var versions = new ArrayList<String>();
    try {
      var group = requests.send("GET", "/apis/" + McsApi.GROUP, "application/json");
      for (var version : Fields.list(group.body().get("versions"))) {
        versions.add(Fields.text(Fields.map(version), "version"));
      }
      if (versions.isEmpty()) {
        log.warn("the API server does not serve {}; waiting for ServiceImports", McsApi.GROUP);
      }
    } catch (KubernetesClientException e) {
      log.warn("the API server does not answer yet: {}", e.getMessage());
    }
    return versions.isEmpty() || versions.contains(McsApi.STORED_VERSION)
        ? McsApi.STORED_VERSION
        : versions.getFirst();
  }

  private synchronized void follow(ApiRequests requests, String version) {
    imports =
        Reflector.start(
            requests,
            "/apis/" + McsApi.GROUP + "/" + version + "/serviceimports",
            ImportedService::read,
            new Reflector.Handler<>() {
              @Override
              public void seen(ImportedService service) {
                put(service);
              }

              @Override
              public void gone(ImportedService service) {
                remove(service);
              }
            });
    endpoints =
        Reflector.start(
            requests,
            "/apis/discovery.k8s.io/v1/endpointslices?labelSelector="
                + McsApi.SERVICE_NAME.replace("/", "%2F"),
            ImportedSlice::read,
            new Reflector.Handler<>() {
              @Override
              public void seen(ImportedSlice slice) {
                put(slice);
              }

              @Override
              public void gone(ImportedSlice slice) {
                remove(slice);
              }
            });
    changed.add(WHEN_SYNCED);
  }

  private synchronized void put(ImportedService service) {
    services.put(service.name(), service);
    changed.add(service.name());
  }

  private synchronized void remove(ImportedService service) {
    services.remove(service.name());
    changed.add(service.name());
  }

  /** A changed slice may have belonged to another service before. */
  private synchronized void put(ImportedSlice slice) {
    var owner = slice.service();
    var before = owners.put(key(slice), owner);
    if (before != null && !before.equals(owner)) {
      take(before, slice.name());
    }
    slices.computeIfAbsent(owner, service -> new HashMap<>()).put(slice.name(), slice);
    changed.add(owner);
  }

  private synchronized void remove(ImportedSlice slice) {
    var owner = owners.remove(key(slice));
    if (owner != null) {
      take(owner, slice.name());
    }
  }

  private void take(ServiceName owner, String slice) {
    var left = slices.get(owner);
    if (left != null) {
      left.remove(slice);
      if (left.isEmpty()) {
        slices.remove(owner);
      }
    }
    changed.add(owner);
  }

  private static ServiceName key(ImportedSlice slice) {
    return new ServiceName(slice.service().namespace(), slice.name());
  }

  /** The index is marked complete only after all changes of the initial state. */
  private boolean refresh(ServiceName name) {
    if (name.equals(WHEN_SYNCED)) {
      return complete();
    }
    ImportedService service;
    List<ImportedSlice> own;
    synchronized (this) {
      service = services.get(name);
      own = List.copyOf(slices.getOrDefault(name, Map.of()).values());
    }
    index.put(name, service == null ? Map.of() : ServiceRecords.of(service, own, options));
    return true;
  }

  private boolean complete() {
    synchronized (this) {
      if (imports == null || !imports.synced() || endpoints == null || !endpoints.synced()) {
        return false;
      }
    }
    if (changed.depth() > 0) {
      return false;
    }
    index.completed();
    return true;
  }

  @Override
  public void close() {
    Reflector<?> first;
    Reflector<?> second;
    synchronized (this) {
      first = imports;
      second = endpoints;
    }
    if (first != null) {
      first.close();
    }
    if (second != null) {
      second.close();
    }
    changed.close();
  }
}
