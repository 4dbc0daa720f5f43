package dev.muster.multicluster.services;

import dev.muster.multicluster.services.ExportStatus.WantedCondition;
import java.time.Clock;
import java.util.List;
import java.util.Map;

/** Everything that a cluster imported from its ClusterSet. Thread-safe. Blocks the caller. */
record ServiceImports(ApiObjects member, Clock clock) {
  static final Map<String, String> MANAGED = Map.of(McsApi.MANAGED_BY, McsApi.MANAGER);

  /**
   * Deletes the imports and updates the status of exports. Another call completes an interrupted
   * one.
   */
  void remove() {
    var imported = Map.of(SliceCopy.MANAGED_BY, McsApi.MANAGER);
    for (var slice : member.list(ServicesResource.ENDPOINT_SLICE, "", imported)) {
      member.delete(ServicesResource.ENDPOINT_SLICE, slice);
    }
    if (ServiceDefinitions.installed(member, ServiceDefinitions.IMPORTS)) {
      member
          .list(ServicesResource.SERVICE_IMPORT, "", MANAGED)
          .forEach(object -> member.delete(ServicesResource.SERVICE_IMPORT, object));
    }
    if (ServiceDefinitions.installed(member, ServiceDefinitions.EXPORTS)) {
      var status = new ExportStatus(member, clock);
      var left =
          new WantedCondition("Ready", false, "Pending", "the cluster is not in a ClusterSet");
      member
          .list(ServicesResource.SERVICE_EXPORT, "", Map.of())
          .forEach(
              export ->
                  status.put(ServicesResource.SERVICE_EXPORT, export, List.of(left), Map.of()));
    }
  }
}
