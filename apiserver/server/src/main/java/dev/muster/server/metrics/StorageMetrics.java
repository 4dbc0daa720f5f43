package dev.muster.server.metrics;

import dev.muster.model.address.Cidr;
import dev.muster.model.address.Ip;
import dev.muster.replica.Replica;
import dev.muster.replica.object.StoredObject;
import dev.muster.store.Store;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Metrics of the store's size and of the used cluster IPs, computed on scrape. */
public final class StorageMetrics {
  private static final int PATIENCE_SECONDS = 1;
  private static final String ADDRESSES = "/ipaddresses";

  private StorageMetrics() {}

  public static void register(
      Store store, Replica replica, List<Cidr> clusterIpRanges, PrometheusRegistry registry) {
    GaugeWithCallback.builder()
        .name("apiserver_storage_size_bytes")
        .help("Bytes that the store takes.")
        .labelNames("storage_cluster_id")
        .callback(gauge -> bytes(store).ifPresent(bytes -> gauge.call((double) bytes, "etcd-0")))
        .register(registry);
    GaugeWithCallback.builder()
        .name("kube_apiserver_clusterip_allocator_allocated_ips")
        .help("Cluster IPs that are taken, by range.")
        .labelNames("cidr")
        .callback(
            gauge ->
                taken(replica, clusterIpRanges)
                    .forEach((range, count) -> gauge.call(count, range.toString())))
        .register(registry);
    GaugeWithCallback.builder()
        .name("kube_apiserver_clusterip_allocator_available_ips")
        .help("Cluster IPs that are free, by range.")
        .labelNames("cidr")
        .callback(
            gauge ->
                taken(replica, clusterIpRanges)
                    .forEach((range, count) -> gauge.call(usable(range) - count, range.toString())))
        .register(registry);
  }

  private static OptionalLong bytes(Store store) {
    try {
      return store.databaseBytes().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      return OptionalLong.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return OptionalLong.empty();
    }
  }

  /** Without the network address, and without the broadcast address of IPv4. */
  private static double usable(Cidr range) {
    return range.size().doubleValue() - (range.isSix() ? 1 : 2);
  }

  private static Map<Cidr, Integer> taken(Replica replica, List<Cidr> ranges) {
    var taken = new HashMap<Cidr, Integer>();
    ranges.forEach(range -> taken.put(range, 0));
    for (StoredObject address : replica.current().collection(ADDRESSES).all()) {
      var ip = Ip.parseLegacy(address.name().name());
      for (var range : ranges) {
        if (ip != null && range.contains(ip)) {
          taken.merge(range, 1, Integer::sum);
        }
      }
    }
    return taken;
  }
}
