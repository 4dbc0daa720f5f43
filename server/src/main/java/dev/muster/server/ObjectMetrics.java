package dev.muster.server;

import dev.muster.replica.Replica;
import dev.muster.schema.ResourceCatalog;
import dev.muster.schema.ResourceType;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.LinkedHashMap;
import java.util.Map;

/** How many objects there are of each resource, counted when it is scraped. */
final class ObjectMetrics {
  private ObjectMetrics() {}

  /** Registers the counts under upstream's name of today and that of before. */
  static void register(ResourceCatalog catalog, Replica replica, PrometheusRegistry registry) {
    var types = stored(catalog);
    GaugeWithCallback.builder()
        .name("apiserver_resource_objects")
        .help("Objects that are stored, by their resource.")
        .labelNames("group", "resource")
        .callback(
            gauge -> {
              var snapshot = replica.current();
              types.forEach(
                  (storage, type) ->
                      gauge.call(
                          snapshot.collection(storage).size(), type.kind().group(), type.plural()));
            })
        .register(registry);
    GaugeWithCallback.builder()
        .name("apiserver_storage_objects")
        .help("As apiserver_resource_objects; resources are named with their group.")
        .labelNames("resource")
        .callback(
            gauge -> {
              var snapshot = replica.current();
              types.forEach(
                  (storage, type) ->
                      gauge.call(
                          snapshot.collection(storage).size(), type.groupResource().toString()));
            })
        .register(registry);
  }

  /** One type for each place where objects are kept: several versions share one. */
  private static Map<String, ResourceType> stored(ResourceCatalog catalog) {
    var types = new LinkedHashMap<String, ResourceType>();
    for (var type : catalog.types()) {
      if (type.verbs().contains("watch")) {
        types.putIfAbsent(type.storage(), type);
      }
    }
    return types;
  }
}
