package dev.muster.multicluster.services;

import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldPath;
import dev.muster.model.validation.LabelRules;
import dev.muster.multicluster.rules.DnsNames;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The exports of one service in the hub. Other members wrote them, so none is trusted: an export
 * that is inconsistent, or that this cluster's API server would refuse, is ignored and does not
 * affect valid exports.
 *
 * @param taken the valid exports
 * @param ignored each invalid export with its problem
 */
record HubExports(List<ExportedService> taken, List<String> ignored) {
  private static final Set<String> PROTOCOLS = Set.of("TCP", "UDP", "SCTP");
  private static final Set<String> POLICIES = Set.of("", "Cluster", "Local");
  private static final Set<String> FAMILIES = Set.of("IPv4", "IPv6");
  private static final int MOST_PORTS = 250;
  private static final int LONGEST_TEXT = 63;
  private static final int LONGEST_AFFINITY_SECONDS = 86_400;

  HubExports {
    taken = List.copyOf(taken);
    ignored = List.copyOf(ignored);
  }

  static HubExports of(ServiceName service, List<Map<String, Object>> objects) {
    var taken = new ArrayList<ExportedService>();
    var ignored = new ArrayList<String>();
    for (var object : objects) {
      if (Fields.metadata(object).get("deletionTimestamp") != null) {
        continue;
      }
      var wrong = problem(service, object);
      if (wrong.isEmpty()) {
        taken.add(ExportedService.read(object, created(object).orElseThrow()));
      } else {
        ignored.add("ExportedService " + Fields.name(object) + ": " + wrong.get());
      }
    }
    return new HubExports(taken, ignored);
  }

  /** The problem of an export before it is written to the hub, if any. */
  static Optional<String> problem(ExportedService export) {
    return carried(
        export.ports(),
        export.sessionAffinityConfig(),
        export.internalTrafficPolicy(),
        export.ipFamilies(),
        export.trafficDistribution(),
        export.labels(),
        export.annotations());
  }

  private static Optional<String> problem(ServiceName service, Map<String, Object> object) {
    var spec = Fields.map(object.get("spec"));
    var cluster = Fields.text(spec, "cluster");
    if (!DnsNames.isSubdomain(cluster)) {
      return Optional.of("spec.cluster is not the ID of a cluster");
    }
    if (!DnsNames.isLabel(service.namespace()) || !DnsNames.isLabel(service.name())) {
      return Optional.of("its labels name no service that there can be");
    }
    if (!Fields.text(spec, "namespace").equals(service.namespace())
        || !Fields.text(spec, "name").equals(service.name())) {
      return Optional.of("its labels name another service than its spec");
    }
    if (!McsApi.clusterLabel(cluster).equals(Fields.labels(object).get(McsApi.SOURCE_CLUSTER))) {
      return Optional.of("its label names another cluster than its spec");
    }
    if (!HubNames.ofExport(cluster, service).equals(Fields.name(object))) {
      return Optional.of("its name is not that of an export of the cluster " + cluster);
    }
    if (created(object).isEmpty()) {
      return Optional.of("it has no time of creation");
    }
    var export = ExportedService.read(object, Instant.MAX);
    return problem(export);
  }

  /** The hub sets the creation time; a member could write anything into other fields. */
  private static Optional<Instant> created(Map<String, Object> object) {
    try {
      return Optional.of(Instant.parse(Fields.text(Fields.metadata(object), "creationTimestamp")));
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  private static Optional<String> carried(
      List<ServicePortSpec> ports,
      Map<String, Object> affinity,
      String policy,
      List<String> families,
      String distribution,
      Map<String, String> labels,
      Map<String, String> annotations) {
    if (ports.size() > MOST_PORTS) {
      return Optional.of("it has more than " + MOST_PORTS + " ports");
    }
    var names = new HashSet<String>();
    for (var port : ports) {
      var wrong = problem(port);
      if (wrong.isPresent()) {
        return wrong;
      }
      if (!port.name().isEmpty() && !names.add(port.name())) {
        return Optional.of("two of its ports have the name " + port.name());
      }
    }
    if (!POLICIES.contains(policy)) {
      return Optional.of("its internalTrafficPolicy is neither Cluster nor Local");
    }
    if (families.size() > 2 || !FAMILIES.containsAll(families)) {
      return Optional.of("its ipFamilies are none");
    }
    if (distribution.length() > LONGEST_TEXT || !distribution.matches("[A-Za-z0-9./-]*")) {
      return Optional.of("its trafficDistribution is none");
    }
    var seconds = Fields.map(affinity.get("clientIP")).get("timeoutSeconds");
    boolean timed =
        seconds instanceof Integer number && number >= 1 && number <= LONGEST_AFFINITY_SECONDS;
    if (seconds != null && !timed) {
      return Optional.of("its sessionAffinityConfig has no timeout of 1 to 86400 seconds");
    }
    var errors = new ArrayList<FieldError>();
    LabelRules.labels(object(labels), FieldPath.of("spec", "labels"), errors);
    LabelRules.annotations(object(annotations), FieldPath.of("spec", "annotations"), errors);
    return errors.isEmpty() ? Optional.empty() : Optional.of(errors.getFirst().toString());
  }

  private static Optional<String> problem(ServicePortSpec port) {
    if (port.port() < 1 || port.port() > 65_535) {
      return Optional.of("a port has the number " + port.port());
    }
    if (!PROTOCOLS.contains(port.protocol())) {
      return Optional.of("the port " + port.port() + " has none of the protocols TCP, UDP, SCTP");
    }
    if (!port.name().isEmpty() && !DnsNames.isLabel(port.name())) {
      return Optional.of("the name of the port " + port.port() + " is not a DNS label");
    }
    var errors = new ArrayList<FieldError>();
    if (!port.appProtocol().isEmpty()) {
      LabelRules.key(port.appProtocol(), FieldPath.of("appProtocol"), errors);
    }
    return errors.isEmpty()
        ? Optional.empty()
        : Optional.of("the appProtocol of the port " + port.port() + " is not a qualified name");
  }

  private static JsonObject object(Map<String, String> texts) {
    var object = JsonObject.builder();
    texts.forEach(object::put);
    return object.build();
  }
}
