package dev.muster.clusterset.services;

import dev.muster.clusterset.services.ExportStatus.WantedCondition;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Safe for any thread, for one service on one thread at a time. Brings one service of one member
 * into line: what the member exports is in the hub, and what the hub has is imported. It looks at
 * the live state only and can be broken off after any write.
 */
final class ServiceSync {
  private static final Logger log = LoggerFactory.getLogger(ServiceSync.class);

  private final ApiObjects member;
  private final ServiceHub hub;
  private final String cluster;
  private final ClusterSetIps addresses;
  private final ExportStatus status;
  private final ServiceImports imports;

  ServiceSync(ApiObjects member, ServiceHub hub, String cluster, Clock clock) {
    this.member = member;
    this.hub = hub;
    this.cluster = cluster;
    this.addresses = new ClusterSetIps(hub);
    this.status = new ExportStatus(member, clock);
    this.imports = new ServiceImports(member, clock);
  }

  void sync(ServiceName service) {
    var export = member.get(ServicesResource.SERVICE_EXPORT, service.namespace(), service.name());
    if (export.isEmpty() || deleted(export.get())) {
      withdraw(service);
      importService(service);
      return;
    }
    var exported = member.get(ServicesResource.SERVICE, service.namespace(), service.name());
    if (exported.isEmpty() || deleted(exported.get())) {
      refuse(service, export.get(), "NoService", "there is no Service of this name");
    } else if ("ExternalName".equals(Fields.map(exported.get().get("spec")).get("type"))) {
      refuse(
          service,
          export.get(),
          "InvalidServiceType",
          "a Service of type ExternalName cannot be exported");
    } else {
      publish(service, ExportedService.of(cluster, export.get(), exported.get()));
      var merge = importService(service);
      var conflict = merge.stream().anyMatch(each -> !each.conflicts().isEmpty());
      status.put(
          ServicesResource.SERVICE_EXPORT,
          export.get(),
          List.of(
              new WantedCondition("Valid", true, "Valid", "the Service can be exported"),
              new WantedCondition("Ready", true, "Exported", "the hub knows the Service"),
              new WantedCondition(
                  "Conflict",
                  conflict,
                  merge.isEmpty() ? "NoConflicts" : merge.getFirst().reason(),
                  merge.isEmpty() ? "" : merge.getFirst().message())),
          Map.of());
    }
  }

  private static boolean deleted(Map<String, Object> object) {
    return Fields.metadata(object).get("deletionTimestamp") != null;
  }

  private void refuse(
      ServiceName service, Map<String, Object> export, String reason, String message) {
    withdraw(service);
    importService(service);
    status.put(
        ServicesResource.SERVICE_EXPORT,
        export,
        List.of(
            new WantedCondition("Valid", false, reason, message),
            new WantedCondition("Ready", false, "Pending", message)),
        Map.of());
  }

  private String exportName(ServiceName service) {
    return ShortHash.name(service.name(), cluster, service.namespace(), service.name());
  }

  private void publish(ServiceName service, ExportedService exported) {
    var owners = hub.owners(cluster);
    DesiredObject.of(
            ServicesResource.EXPORTED_SERVICE,
            hub.namespace(),
            Map.of(
                "name", exportName(service),
                "labels", SliceCopy.labels(service, cluster),
                "ownerReferences", owners),
            Map.of("spec", exported.write(service)))
        .put(hub.objects());
    var wanted = new HashSet<String>();
    var slices =
        member.list(
            ServicesResource.ENDPOINT_SLICE,
            service.namespace(),
            Map.of("kubernetes.io/service-name", service.name()));
    for (var slice : slices) {
      if (SliceCopy.hasAddresses(slice) && !deleted(slice)) {
        var copy = SliceCopy.toHub(hub.namespace(), service, cluster, slice, owners);
        wanted.add(copy.name());
        copy.put(hub.objects());
      }
    }
    prune(service, wanted);
  }

  /** The export goes first: from then on nobody looks at its slices. */
  private void withdraw(ServiceName service) {
    hub.objects()
        .get(ServicesResource.EXPORTED_SERVICE, hub.namespace(), exportName(service))
        .ifPresent(object -> hub.delete(ServicesResource.EXPORTED_SERVICE, object));
    prune(service, Set.of());
  }

  private void prune(ServiceName service, Set<String> wanted) {
    for (var slice :
        hub.list(ServicesResource.ENDPOINT_SLICE, SliceCopy.labels(service, cluster))) {
      if (!wanted.contains(Fields.name(slice))) {
        hub.delete(ServicesResource.ENDPOINT_SLICE, slice);
      }
    }
  }

  /** What all clusters say together; nothing if nobody exports it. */
  private List<ServiceMerge> importService(ServiceName service) {
    var exports =
        hub.list(ServicesResource.EXPORTED_SERVICE, ServiceHub.labels(service)).stream()
            .map(ExportedService::read)
            .toList();
    if (exports.isEmpty()) {
      addresses.release(service);
      removeImport(service);
      return List.of();
    }
    var merge = ServiceMerge.of(exports);
    var ips =
        merge.service().headless()
            ? List.<String>of()
            : addresses.of(
                service, merge.service().ipFamilies(), merge.clusters().contains(cluster));
    var live = member.get(ServicesResource.SERVICE_IMPORT, service.namespace(), service.name());
    if (live.isPresent() && !managed(live.get())) {
      log.warn("{}: the ServiceImport is somebody else's and stays as it is", service);
    } else if (desired(service, merge, ips).put(member)) {
      member
          .get(ServicesResource.SERVICE_IMPORT, service.namespace(), service.name())
          .ifPresent(made -> complete(service, merge, ips, made));
    }
    return List.of(merge);
  }

  private static boolean managed(Map<String, Object> object) {
    return McsApi.MANAGER.equals(Fields.labels(object).get(McsApi.MANAGED_BY));
  }

  private static DesiredObject desired(ServiceName service, ServiceMerge merge, List<String> ips) {
    var spec = new LinkedHashMap<String, Object>();
    spec.put("type", merge.service().headless() ? "Headless" : "ClusterSetIP");
    spec.put("ips", ips);
    merge.service().writeCarried(spec);
    var labels = new LinkedHashMap<>(merge.service().labels());
    labels.putAll(ServiceImports.MANAGED);
    return DesiredObject.of(
        ServicesResource.SERVICE_IMPORT,
        service.namespace(),
        Map.of(
            "name", service.name(),
            "labels", labels,
            "annotations", merge.service().annotations()),
        Map.of("spec", spec));
  }

  private void complete(
      ServiceName service, ServiceMerge merge, List<String> ips, Map<String, Object> made) {
    var wanted = new HashSet<String>();
    for (var slice : hub.list(ServicesResource.ENDPOINT_SLICE, ServiceHub.labels(service))) {
      if (merge.clusters().contains(McsApi.sourceCluster(slice))) {
        var copy = SliceCopy.toMember(service, slice, made);
        wanted.add(copy.name());
        copy.put(member);
      }
    }
    pruneImported(service, wanted);
    boolean ready = merge.service().headless() || !ips.isEmpty();
    var clusters = new ArrayList<Map<String, Object>>();
    merge.clusters().forEach(each -> clusters.add(Map.of("cluster", each)));
    status.put(
        ServicesResource.SERVICE_IMPORT,
        made,
        List.of(
            ready
                ? new WantedCondition("Ready", true, "Ready", "the service can be used")
                : new WantedCondition("Ready", false, "Pending", "the service has no address yet")),
        Map.of("clusters", clusters));
  }

  private void removeImport(ServiceName service) {
    member
        .get(ServicesResource.SERVICE_IMPORT, service.namespace(), service.name())
        .filter(ServiceSync::managed)
        .ifPresent(object -> member.delete(ServicesResource.SERVICE_IMPORT, object));
    pruneImported(service, Set.of());
  }

  private void pruneImported(ServiceName service, Set<String> wanted) {
    var labels = Map.of(McsApi.SERVICE_NAME, service.name(), SliceCopy.MANAGED_BY, McsApi.MANAGER);
    for (var slice : member.list(ServicesResource.ENDPOINT_SLICE, service.namespace(), labels)) {
      if (!wanted.contains(Fields.name(slice))) {
        member.delete(ServicesResource.ENDPOINT_SLICE, slice);
      }
    }
  }

  /**
   * The cluster is no longer in the set: it takes back what it exported, and what it imported goes.
   * Another call finishes what one could not.
   */
  void leave() {
    var own = Map.of(McsApi.SOURCE_CLUSTER, McsApi.clusterLabel(cluster));
    if (ServiceDefinitions.installed(hub.objects(), ServiceDefinitions.EXPORTED)) {
      hub.list(ServicesResource.EXPORTED_SERVICE, own)
          .forEach(object -> hub.delete(ServicesResource.EXPORTED_SERVICE, object));
    }
    hub.list(ServicesResource.ENDPOINT_SLICE, own)
        .forEach(slice -> hub.delete(ServicesResource.ENDPOINT_SLICE, slice));
    imports.remove();
  }
}
