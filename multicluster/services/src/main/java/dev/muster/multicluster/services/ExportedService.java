package dev.muster.multicluster.services;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One cluster's export of a service. Texts are "" where a field is absent.
 *
 * @param created when the hub created it, by the hub's clock: the oldest export takes precedence
 */
record ExportedService(
    String cluster,
    Instant created,
    boolean headless,
    List<ServicePortSpec> ports,
    String sessionAffinity,
    Map<String, Object> sessionAffinityConfig,
    List<String> ipFamilies,
    String internalTrafficPolicy,
    String trafficDistribution,
    Map<String, String> labels,
    Map<String, String> annotations) {

  ExportedService {
    ports = List.copyOf(ports);
    sessionAffinityConfig = Map.copyOf(sessionAffinityConfig);
    ipFamilies = List.copyOf(ipFamilies);
    labels = Map.copyOf(labels);
    annotations = Map.copyOf(annotations);
  }

  /** Reads the objects in the exporting cluster. */
  static ExportedService of(
      String cluster, Map<String, Object> export, Map<String, Object> service) {
    var spec = Fields.map(service.get("spec"));
    var chosen = Fields.map(export.get("spec"));
    return read(
        cluster,
        Instant.MAX,
        "None".equals(spec.get("clusterIP")),
        spec,
        Fields.texts(chosen.get("exportedLabels")),
        Fields.texts(chosen.get("exportedAnnotations")));
  }

  /** Reads the object in the hub, which {@link HubExports} checks. */
  static ExportedService read(Map<String, Object> object, Instant created) {
    var spec = Fields.map(object.get("spec"));
    return read(
        Fields.text(spec, "cluster"),
        created,
        "Headless".equals(spec.get("type")),
        spec,
        Fields.texts(spec.get("labels")),
        Fields.texts(spec.get("annotations")));
  }

  private static ExportedService read(
      String cluster,
      Instant created,
      boolean headless,
      Map<String, Object> spec,
      Map<String, String> labels,
      Map<String, String> annotations) {
    return new ExportedService(
        cluster,
        created,
        headless,
        Fields.list(spec.get("ports")).stream()
            .map(port -> ServicePortSpec.read(Fields.map(port)))
            .toList(),
        "ClientIP".equals(spec.get("sessionAffinity")) ? "ClientIP" : "None",
        Fields.map(spec.get("sessionAffinityConfig")),
        Fields.list(spec.get("ipFamilies")).stream().map(String::valueOf).toList(),
        Fields.text(spec, "internalTrafficPolicy"),
        Fields.text(spec, "trafficDistribution"),
        labels,
        annotations);
  }

  /** The spec of the object in the hub. */
  Map<String, Object> write(ServiceName service) {
    var spec = new LinkedHashMap<String, Object>();
    spec.put("cluster", cluster);
    spec.put("namespace", service.namespace());
    spec.put("name", service.name());
    spec.put("type", headless ? "Headless" : "ClusterSetIP");
    spec.put("labels", labels);
    spec.put("annotations", annotations);
    writeCarried(spec);
    return spec;
  }

  /** Writes the fields that a ServiceImport has, too. */
  void writeCarried(Map<String, Object> spec) {
    spec.put("ports", ports.stream().map(ServicePortSpec::write).toList());
    spec.put("sessionAffinity", sessionAffinity);
    if (!sessionAffinityConfig.isEmpty()) {
      spec.put("sessionAffinityConfig", sessionAffinityConfig);
    }
    if (!ipFamilies.isEmpty()) {
      spec.put("ipFamilies", ipFamilies);
    }
    if (!internalTrafficPolicy.isEmpty()) {
      spec.put("internalTrafficPolicy", internalTrafficPolicy);
    }
    if (!trafficDistribution.isEmpty()) {
      spec.put("trafficDistribution", trafficDistribution);
    }
  }

  ExportedService withPorts(List<ServicePortSpec> union) {
    return new ExportedService(
        cluster,
        created,
        headless,
        union,
        sessionAffinity,
        sessionAffinityConfig,
        ipFamilies,
        internalTrafficPolicy,
        trafficDistribution,
        labels,
        annotations);
  }
}
