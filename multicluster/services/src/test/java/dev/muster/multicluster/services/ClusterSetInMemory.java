package dev.muster.multicluster.services;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A hub and two members, east and west, with a namespace that both have. */
final class ClusterSetInMemory {
  static final ServiceName WEB = new ServiceName("test", "web");
  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-01-01T00:00:00Z"), ZoneOffset.UTC);

  final ApiObjectsInMemory.Faults faults = new ApiObjectsInMemory.Faults();
  final ApiObjectsInMemory hubObjects = new ApiObjectsInMemory(faults);
  final Map<String, ApiObjectsInMemory> members = new LinkedHashMap<>();
  final ServiceHub hub;

  ClusterSetInMemory() {
    hub =
        ServiceHub.prepare(
            hubObjects, "set", AddressRange.parseAll(List.of("10.249.0.0/24", "fd10:249::/120")));
    for (var name : List.of("east", "west")) {
      var member = new ApiObjectsInMemory(faults);
      ServiceDefinitions.inMember(member);
      put(member, ServicesResource.NAMESPACE, "", "test", Map.of(), Map.of());
      members.put(name, member);
    }
  }

  ApiObjectsInMemory member(String cluster) {
    var member = members.get(cluster);
    if (member == null) {
      throw new IllegalArgumentException(cluster);
    }
    return member;
  }

  ServiceSync sync(String cluster) {
    return new ServiceSync(member(cluster), hub, cluster, CLOCK);
  }

  static void put(
      ApiObjects objects,
      ServicesResource resource,
      String namespace,
      String name,
      Map<String, String> labels,
      Map<String, Object> content) {
    objects.get(resource, namespace, name).ifPresent(object -> objects.delete(resource, object));
    var metadata = Map.<String, Object>of("name", name, "labels", labels);
    objects.create(
        resource, namespace, DesiredObject.of(resource, namespace, metadata, content).object());
  }

  static Map<String, Object> port(String name, int number) {
    return Map.of("name", name, "protocol", "TCP", "port", number);
  }

  /** A Service with one endpoint, and its export. */
  void export(String cluster, String address, Map<String, Object> spec) {
    var member = member(cluster);
    put(member, ServicesResource.SERVICE, "test", "web", Map.of(), Map.of("spec", spec));
    endpoint(cluster, "web-1", address);
    put(member, ServicesResource.SERVICE_EXPORT, "test", "web", Map.of(), Map.of());
  }

  void endpoint(String cluster, String slice, String address) {
    put(
        member(cluster),
        ServicesResource.ENDPOINT_SLICE,
        "test",
        slice,
        Map.of("kubernetes.io/service-name", "web"),
        Map.of(
            "addressType",
            "IPv4",
            "endpoints",
            List.of(Map.of("addresses", List.of(address), "nodeName", "node", "hostname", "web-0")),
            "ports",
            List.of(port("http", 8080))));
  }

  void unexport(String cluster) {
    var member = member(cluster);
    member
        .get(ServicesResource.SERVICE_EXPORT, "test", "web")
        .ifPresent(export -> member.delete(ServicesResource.SERVICE_EXPORT, export));
  }

  /** Until a round changes nothing. */
  void settle() {
    for (int round = 0; round < 10; round++) {
      int before = faults.writes();
      members.keySet().forEach(cluster -> sync(cluster).sync(WEB));
      if (faults.writes() == before) {
        return;
      }
    }
    throw new AssertionError("it never comes to rest");
  }

  Map<String, Object> imported(String cluster) {
    return member(cluster).get(ServicesResource.SERVICE_IMPORT, "test", "web").orElse(Map.of());
  }

  /** The addresses of imported endpoints, with the clusters that they come from. */
  List<String> endpoints(String cluster) {
    var found = new ArrayList<String>();
    for (var slice :
        member(cluster)
            .list(ServicesResource.ENDPOINT_SLICE, "test", Map.of(McsApi.SERVICE_NAME, "web"))) {
      for (var endpoint : Fields.list(slice.get("endpoints"))) {
        found.add(
            McsApi.sourceCluster(slice)
                + " "
                + Fields.list(Fields.map(endpoint).get("addresses")).getFirst());
      }
    }
    return found.stream().sorted().toList();
  }

  /** A condition of the export, as in {@code True Valid}. */
  String condition(String cluster, String type) {
    var export = member(cluster).get(ServicesResource.SERVICE_EXPORT, "test", "web").orElseThrow();
    for (var item : Fields.list(Fields.map(export.get("status")).get("conditions"))) {
      var condition = Fields.map(item);
      if (type.equals(condition.get("type"))) {
        return condition.get("status") + " " + condition.get("reason");
      }
    }
    return "";
  }
}
