package dev.muster.server.metrics;

import dev.muster.replica.Replica;
import dev.muster.replica.snapshot.Snapshot;
import dev.muster.types.ServedType;
import dev.muster.types.Types;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.function.ObjIntConsumer;

/** Exports the number of objects of each resource, counted on scrape. */
public final class ObjectMetrics {
  private ObjectMetrics() {}

  /** Registers the counts under upstream's current name and its deprecated one. */
  public static void register(Replica replica, PrometheusRegistry registry) {
    GaugeWithCallback.builder()
        .name("apiserver_resource_objects")
        .help("Objects that are stored, by their resource.")
        .labelNames("group", "resource")
        .callback(
            gauge ->
                count(
                    replica.current(),
                    (type, objects) -> gauge.call(objects, type.kind().group(), type.plural())))
        .register(registry);
    GaugeWithCallback.builder()
        .name("apiserver_storage_objects")
        .help("As apiserver_resource_objects; resources are named with their group.")
        .labelNames("resource")
        .callback(
            gauge ->
                count(
                    replica.current(),
                    (type, objects) -> gauge.call(objects, type.groupResource().toString())))
        .register(registry);
  }

  private static void count(Snapshot snapshot, ObjIntConsumer<ServedType> taker) {
    var types = Types.in(snapshot);
    for (var storage : types.storagePrefixes()) {
      var type = types.ofStorage(storage);
      if (type != null) {
        taker.accept(type, snapshot.collection(storage).size());
      }
    }
  }
}
