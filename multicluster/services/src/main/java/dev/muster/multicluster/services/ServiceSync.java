package dev.muster.multicluster.services;

import dev.muster.multicluster.services.ExportStatus.WantedCondition;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reconciles one service of one member: its export in the hub, and its import from the hub. It uses
 * only the live state and can be interrupted after any write. Thread-safe, with one thread per
 * service at a time.
 */
final class ServiceSync {
  private static final Logger log = LoggerFactory.getLogger(ServiceSync.class);
  private static final Set<Integer> REFUSALS = Set.of(400, 403, 405, 413, 422);

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
    this.addresses = new ClusterSetIps(hub, cluster);
    this.status = new ExportStatus(member, clock);
    this.imports = new ServiceImports(member, clock);
  }

  /**
   * @throws RuntimeException if something failed; the status of the ServiceExport tells the reason
   */
  void sync(ServiceName service) {
    try {
      bringIntoLine(service);
    } catch (KubernetesClientException e) {
      tellFailure(service, e);
      throw e;
    }
  }

  private void bringIntoLine(ServiceName service) {
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
      var wanted = ExportedService.of(cluster, export.get(), exported.get());
      var wrong = HubExports.problem(wanted);
      if (wrong.isPresent()) {
        refuse(service, export.get(), "InvalidExport", wrong.get());
      } else {
        exportService(service, export.get(), wanted);
      }
    }
  }

  private void exportService(
      ServiceName service, Map<String, Object> export, ExportedService wanted) {
    publish(service, wanted);
    var result = importService(service);
    var merge = result.merge();
    var conditions = new ArrayList<WantedCondition>();
    conditions.add(new WantedCondition("Valid", true, "Valid", "the Service can be exported"));
    conditions.add(new WantedCondition("Ready", true, "Exported", "the hub knows the Service"));
    conditions.add(
        new WantedCondition(
            "Conflict",
            merge.filter(each -> !each.conflicts().isEmpty()).isPresent(),
            merge.map(ServiceMerge::reason).orElse("NoConflicts"),
            merge.map(ServiceMerge::message).orElse("")));
    conditions.addAll(ExportStatus.ofIgnored(export, result.ignored()));
    status.put(ServicesResource.SERVICE_EXPORT, export, conditions, Map.of());
  }

  /**
   * Reports a refusal by the hub or the member to users. If one does not answer, an exported
   * Service stays exported.
   */
  private void tellFailure(ServiceName service, KubernetesClientException failure) {
    try {
      var export = member.get(ServicesResource.SERVICE_EXPORT, service.namespace(), service.name());
      if (export.isPresent()
          && !deleted(export.get())
          && (isRefusal(failure) || !ExportStatus.has(export.get(), "Ready"))) {
        var reason = isRefusal(failure) ? "Failed" : "Pending";
        status.put(
            ServicesResource.SERVICE_EXPORT,
            export.get(),
            List.of(
                new WantedCondition("Ready", false, reason, String.valueOf(failure.getMessage()))),
            Map.of());
      }
    } catch (KubernetesClientException e) {
      failure.addSuppressed(e);
    }
  }

  /** Whether a retry fails in the same way until the request or the server changes. */
  private static boolean isRefusal(KubernetesClientException failure) {
    return REFUSALS.contains(failure.getCode());
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

  private void publish(ServiceName service, ExportedService exported) {
    var owners = hub.owners(cluster);
    DesiredObject.of(
            ServicesResource.EXPORTED_SERVICE,
            hub.namespace(),
            Map.of(
                "name", HubNames.ofExport(cluster, service),
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

  /**
   * Releases the address first, so that another exporting cluster can allocate it; then deletes the
   * export, after which no member reads the slices, and at last the slices.
   */
  private void withdraw(ServiceName service) {
    addresses.release(service);
    hub.objects()
        .get(
            ServicesResource.EXPORTED_SERVICE, hub.namespace(), HubNames.ofExport(cluster, service))
        .filter(object -> isOwnExport(object))
        .ifPresent(object -> hub.delete(ServicesResource.EXPORTED_SERVICE, object));
    prune(service, Set.of());
  }

  private boolean isOwnExport(Map<String, Object> object) {
    return cluster.equals(Fields.text(Fields.map(object.get("spec")), "cluster"));
  }

  /** A slice that another cluster labelled as this one's must not be deleted. */
  private boolean isOwnSlice(Map<String, Object> slice) {
    return HubNames.isOf(cluster, Fields.name(slice))
        || cluster.equals(McsApi.sourceCluster(slice));
  }

  private void prune(ServiceName service, Set<String> wanted) {
    for (var slice :
        hub.list(ServicesResource.ENDPOINT_SLICE, SliceCopy.labels(service, cluster))) {
      if (isOwnSlice(slice) && !wanted.contains(Fields.name(slice))) {
        hub.delete(ServicesResource.ENDPOINT_SLICE, slice);
      }
    }
  }

  /**
   * The merged exports.
   *
   * @param merge empty if no cluster exports the service
   * @param ignored exports in the hub that are invalid, with reasons
   */
  private record ImportResult(Optional<ServiceMerge> merge, List<String> ignored) {}

  private ImportResult importService(ServiceName service) {
    var objects = hub.list(ServicesResource.EXPORTED_SERVICE, ServiceHub.labels(service));
    var exports = HubExports.of(service, withoutStaleOnes(service, objects));
    if (exports.taken().isEmpty()) {
      addresses.release(service);
      removeImport(service);
      exports.ignored().forEach(each -> log.debug("{}: ignored: {}", service, each));
      return new ImportResult(Optional.empty(), exports.ignored());
    }
    var merge = ServiceMerge.of(exports.taken());
    var ignored = new ArrayList<>(exports.ignored());
    var live = member.get(ServicesResource.SERVICE_IMPORT, service.namespace(), service.name());
    boolean foreign = live.isPresent() && !managed(live.get());
    var published =
        foreign ? List.<String>of() : live.map(ServiceSync::published).orElseGet(List::of);
    var ips = addresses(service, merge, published);
    if (foreign) {
      log.warn("{}: the ServiceImport is somebody else's and stays as it is", service);
    } else if (desired(service, merge, ips).put(member)) {
      member
          .get(ServicesResource.SERVICE_IMPORT, service.namespace(), service.name())
          .ifPresent(made -> complete(service, merge, ips, made, ignored));
    }
    return new ImportResult(Optional.of(merge), ignored);
  }

  /** Deletes exports of this cluster that an earlier version of Muster wrote under another name. */
  private List<Map<String, Object>> withoutStaleOnes(
      ServiceName service, List<Map<String, Object>> objects) {
    var kept = new ArrayList<Map<String, Object>>();
    for (var object : objects) {
      if (isOwnExport(object) && !HubNames.ofExport(cluster, service).equals(Fields.name(object))) {
        hub.delete(ServicesResource.EXPORTED_SERVICE, object);
      } else {
        kept.add(object);
      }
    }
    return kept;
  }

  private List<String> addresses(ServiceName service, ServiceMerge merge, List<String> published) {
    if (merge.service().headless()) {
      addresses.release(service);
      return List.of();
    }
    return addresses.of(service, merge, published);
  }

  private static List<String> published(Map<String, Object> serviceImport) {
    return Fields.list(Fields.map(serviceImport.get("spec")).get("ips")).stream()
        .map(String::valueOf)
        .toList();
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
      ServiceName service,
      ServiceMerge merge,
      List<String> ips,
      Map<String, Object> made,
      List<String> ignored) {
    var wanted = new HashSet<String>();
    for (var slice : hub.list(ServicesResource.ENDPOINT_SLICE, ServiceHub.labels(service))) {
      if (!SliceCopy.isWhole(slice)) {
        ignored.add(
            "EndpointSlice "
                + Fields.name(slice)
                + ": its name, its label and its annotation do not name one cluster");
      } else if (merge.clusters().contains(McsApi.sourceCluster(slice))) {
        var copy = SliceCopy.toMember(service, slice, made);
        wanted.add(copy.name());
        importSlice(copy, Fields.name(slice), ignored);
      }
    }
    pruneImported(service, wanted);
    boolean ready = merge.service().headless() || !ips.isEmpty();
    var clusters = new ArrayList<Map<String, Object>>();
    merge.clusters().forEach(each -> clusters.add(Map.of("cluster", each)));
    var conditions = new ArrayList<WantedCondition>();
    conditions.add(
        ready
            ? new WantedCondition("Ready", true, "Ready", "the service can be used")
            : new WantedCondition("Ready", false, "Pending", "the service has no address yet"));
    conditions.addAll(ExportStatus.ofIgnored(made, ignored));
    status.put(ServicesResource.SERVICE_IMPORT, made, conditions, Map.of("clusters", clusters));
  }

  /** A slice that this cluster's API server refuses does not prevent the import of others. */
  private void importSlice(DesiredObject copy, String name, List<String> ignored) {
    try {
      if (!copy.putOver(member, SliceCopy::isImported)) {
        ignored.add(
            "EndpointSlice " + name + ": " + copy.name() + " of this cluster is in its way");
      }
    } catch (KubernetesClientException e) {
      if (!isRefusal(e)) {
        throw e;
      }
      ignored.add("EndpointSlice " + name + ": " + e.getMessage());
    }
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
   * Withdraws the exports and deletes the imports of a cluster that has left. Another call
   * completes an interrupted one.
   */
  void leave() {
    var own = Map.of(McsApi.SOURCE_CLUSTER, McsApi.clusterLabel(cluster));
    if (ServiceDefinitions.installed(hub.objects(), ServiceDefinitions.ADDRESSES)) {
      addresses.releaseAll();
    }
    if (ServiceDefinitions.installed(hub.objects(), ServiceDefinitions.EXPORTED)) {
      hub.list(ServicesResource.EXPORTED_SERVICE, own).stream()
          .filter(this::isOwnExport)
          .forEach(object -> hub.delete(ServicesResource.EXPORTED_SERVICE, object));
    }
    hub.list(ServicesResource.ENDPOINT_SLICE, own).stream()
        .filter(this::isOwnSlice)
        .forEach(slice -> hub.delete(ServicesResource.ENDPOINT_SLICE, slice));
    imports.remove();
  }
}
