package dev.muster.multicluster.services;

import static dev.muster.multicluster.services.ClusterSetInMemory.WEB;
import static dev.muster.multicluster.services.ClusterSetInMemory.port;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a reader makes of a hub in which a member called evil wrote whatever it wanted, as it can
 * where no policy keeps it from that.
 */
class HostileExportsTest {
  private static final Map<String, Object> SERVICE =
      Map.of(
          "clusterIP", "10.0.0.1",
          "ipFamilies", List.of("IPv4"),
          "ports", List.of(port("http", 80)));

  private final ClusterSetInMemory set = new ClusterSetInMemory();
  private String address = "";

  @BeforeEach
  void exportFromEast() {
    set.export("east", "10.1.0.1", SERVICE);
    set.settle();
    address = ip("west");
  }

  private String ip(String cluster) {
    var ips = Fields.list(Fields.map(set.imported(cluster).get("spec")).get("ips"));
    return ips.size() == 1 ? String.valueOf(ips.getFirst()) : ips.toString();
  }

  private void assertThatEastIsServedAsBefore() {
    for (var cluster : List.of("east", "west")) {
      assertThat(ip(cluster)).isEqualTo(address);
      assertThat(set.endpoints(cluster)).contains("east 10.1.0.1");
      assertThat(set.endpoints(cluster)).noneMatch(endpoint -> endpoint.contains("6.6.6.6"));
      assertThat(Fields.map(set.imported(cluster).get("spec")).get("ports"))
          .isEqualTo(List.of(port("http", 80)));
    }
    assertThat(set.condition("east", "Ready")).isEqualTo("True Exported");
  }

  /** An export of evil that is as it should be, but for what a case changes. */
  private static Map<String, Object> export(UnaryOperator<Map<String, Object>> change) {
    var spec = new LinkedHashMap<String, Object>();
    spec.put("cluster", "evil");
    spec.put("namespace", "test");
    spec.put("name", "web");
    spec.put("type", "ClusterSetIP");
    spec.put("ipFamilies", List.of("IPv4"));
    spec.put("ports", List.of(port("http", 80)));
    var metadata = new LinkedHashMap<String, Object>();
    metadata.put("name", HubNames.ofExport("evil", WEB));
    metadata.put("labels", new LinkedHashMap<>(SliceCopy.labels(WEB, "evil")));
    var object = new LinkedHashMap<String, Object>();
    object.put("metadata", metadata);
    object.put("spec", spec);
    return change.apply(object);
  }

  private record Case(String what, String field, Object value) {
    @Override
    public String toString() {
      return what;
    }
  }

  static List<Case> exportsThatAreIgnored() {
    return List.of(
        new Case("the name of an export that east will need", "metadata.name", "east.web-0"),
        new Case("a name that anything may have", "metadata.name", "web"),
        new Case("the name of a third cluster", "spec.cluster", "north"),
        new Case("no ID of a cluster", "spec.cluster", "Not_A_Name"),
        new Case("another service in the spec", "spec.name", "db"),
        new Case("another namespace in the spec", "spec.namespace", "kube-system"),
        new Case("a label that cannot be", "spec.labels", Map.of("not a key", "x")),
        new Case("a label with a value that cannot be", "spec.labels", Map.of("a", "b c")),
        new Case("an annotation that cannot be", "spec.annotations", Map.of("/", "x")),
        new Case(
            "annotations without end", "spec.annotations", Map.of("a", "x".repeat(300 * 1024))),
        new Case("a port without number", "spec.ports", List.of(Map.of("name", "http"))),
        new Case("a port of no protocol", "spec.ports", List.of(portOf("http", "ICMP"))),
        new Case("a port of no name", "spec.ports", List.of(port("Not A Name", 80))),
        new Case(
            "two ports of one name", "spec.ports", List.of(port("http", 80), port("http", 81))),
        new Case(
            "a timeout that cannot be",
            "spec.sessionAffinityConfig",
            Map.of("clientIP", Map.of("timeoutSeconds", -1))),
        new Case("no such traffic policy", "spec.internalTrafficPolicy", "Elsewhere"),
        new Case("no such traffic distribution", "spec.trafficDistribution", "a b"),
        new Case("no such family", "spec.ipFamilies", List.of("IPv5")),
        new Case("no time of creation", "metadata.creationTimestamp", ""));
  }

  private static Map<String, Object> portOf(String name, String protocol) {
    return Map.of("name", name, "protocol", protocol, "port", 80);
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> with(Map<String, Object> object, String field, Object value) {
    var path = field.split("\\.");
    ((Map<String, Object>) object.get(path[0])).put(path[1], value);
    return object;
  }

  private void putIntoHub(ServicesResource resource, Map<String, Object> object) {
    var metadata = Fields.metadata(object);
    var content = new LinkedHashMap<>(object);
    content.remove("metadata");
    set.hubObjects.create(
        resource,
        set.hub.namespace(),
        DesiredObject.of(resource, set.hub.namespace(), metadata, content).object());
  }

  @ParameterizedTest
  @MethodSource
  void exportsThatAreIgnored(Case hostile) {
    putIntoHub(
        ServicesResource.EXPORTED_SERVICE,
        export(object -> with(object, hostile.field(), hostile.value())));
    set.settle();
    assertThatEastIsServedAsBefore();
    assertThat(set.condition("east", ExportStatus.IGNORED)).isEqualTo("True InvalidExport");
    assertThat(set.condition("east", "Conflict")).isEqualTo("False NoConflicts");
    assertThat(String.valueOf(set.imported("west").get("status"))).contains("ExportedService ");
    assertThat(Fields.map(set.imported("west").get("status")).get("clusters"))
        .isEqualTo(List.of(Map.of("cluster", "east")));
  }

  @Test
  void anExportInTheNameOfAClusterIsDeletedByThatCluster() {
    putIntoHub(
        ServicesResource.EXPORTED_SERVICE, export(object -> with(object, "spec.cluster", "east")));
    set.settle();
    assertThatEastIsServedAsBefore();
    assertThat(set.hubObjects.list(ServicesResource.EXPORTED_SERVICE, "", Map.of())).hasSize(1);
  }

  @Test
  void anExportThatIsRepairedIsTaken() {
    putIntoHub(
        ServicesResource.EXPORTED_SERVICE,
        export(object -> with(object, "spec.labels", Map.of("not a key", "x"))));
    set.settle();
    var name = HubNames.ofExport("evil", WEB);
    set.hubObjects
        .get(ServicesResource.EXPORTED_SERVICE, set.hub.namespace(), name)
        .ifPresent(object -> set.hubObjects.delete(ServicesResource.EXPORTED_SERVICE, object));
    putIntoHub(ServicesResource.EXPORTED_SERVICE, export(object -> object));
    set.settle();
    assertThat(set.condition("east", ExportStatus.IGNORED)).isEqualTo("False NoneIgnored");
    assertThat(Fields.map(set.imported("west").get("status")).get("clusters"))
        .isEqualTo(List.of(Map.of("cluster", "east"), Map.of("cluster", "evil")));
  }

  @Test
  void aMemberCannotMakeItsExportTheOldest() {
    putIntoHub(
        ServicesResource.EXPORTED_SERVICE,
        export(
            object ->
                with(
                    with(object, "spec.exportedAt", "1970-01-01T00:00:00Z"),
                    "spec.ports",
                    List.of(port("http", 6666)))));
    set.settle();
    assertThatEastIsServedAsBefore();
    assertThat(set.condition("east", "Conflict")).isEqualTo("True PortConflict");
  }

  @Test
  void anExportThatItsMemberKeepsWithAFinalizerIsOver() {
    putIntoHub(
        ServicesResource.EXPORTED_SERVICE,
        export(object -> with(object, "metadata.deletionTimestamp", "2026-01-01T00:00:00Z")));
    set.settle();
    assertThat(Fields.map(set.imported("west").get("status")).get("clusters"))
        .isEqualTo(List.of(Map.of("cluster", "east")));
  }

  private void putSlice(String name, String label, String annotation) {
    var labels = new LinkedHashMap<>(SliceCopy.labels(WEB, label));
    putIntoHub(
        ServicesResource.ENDPOINT_SLICE,
        Map.of(
            "metadata",
            Map.of(
                "name", name,
                "labels", labels,
                "annotations", Map.of(McsApi.SOURCE_CLUSTER, annotation)),
            "addressType",
            "IPv4",
            "endpoints",
            List.of(Map.of("addresses", List.of("6.6.6.6"))),
            "ports",
            List.of(port("http", 80))));
  }

  @Test
  void slicesWhoseNameLabelAndAnnotationDifferAreNobodys() {
    putIntoHub(ServicesResource.EXPORTED_SERVICE, export(object -> object));
    putSlice("evil.a-0", "east", "evil");
    putSlice("evil.b-0", "evil", "east");
    putSlice("evil.c-0", "east", "east");
    putSlice("east.evil.d-0", "east", "east");
    putSlice("d-0", "east", "east");
    set.settle();
    assertThatEastIsServedAsBefore();
    assertThat(set.condition("east", ExportStatus.IGNORED)).isEqualTo("True InvalidExport");
    set.unexport("east");
    set.settle();
    assertThat(set.hubObjects.list(ServicesResource.ENDPOINT_SLICE, "", Map.of()))
        .as("east deletes what says that it is its own, and leaves what says two things")
        .hasSize(2);
  }

  @Test
  void aSliceOfThisClusterIsNotWrittenOver() {
    putIntoHub(ServicesResource.EXPORTED_SERVICE, export(object -> object));
    putSlice("evil.a-0", "evil", "evil");
    var inTheWay = "imported-" + ShortHash.nameWithin(50, "web", "evil.a-0");
    ClusterSetInMemory.put(
        set.member("west"),
        ServicesResource.ENDPOINT_SLICE,
        "test",
        inTheWay,
        Map.of("kubernetes.io/service-name", "own"),
        Map.of("addressType", "IPv4"));
    set.settle();
    assertThat(
            set.member("west")
                .get(ServicesResource.ENDPOINT_SLICE, "test", inTheWay)
                .map(Fields::labels))
        .contains(Map.of("kubernetes.io/service-name", "own"));
    assertThat(set.endpoints("west")).containsExactly("east 10.1.0.1");
    assertThat(String.valueOf(set.imported("west").get("status"))).contains("is in its way");
  }

  private void putAddress(String name, String text, String owner, Map<String, String> labels) {
    putIntoHub(
        ServicesResource.CLUSTERSET_IP,
        Map.of(
            "metadata",
            Map.of("name", name, "labels", labels),
            "spec",
            Map.of(
                "address", text,
                "family", "IPv4",
                "namespace", "test",
                "name", "web",
                "cluster", owner)));
  }

  /** Before the export decides; afterwards the address of the first export that has one does. */
  @Test
  void anAddressThatDoesNotFitTogetherIsNotPublished() {
    set.hubObjects
        .list(ServicesResource.CLUSTERSET_IP, "", Map.of())
        .forEach(each -> set.hubObjects.delete(ServicesResource.CLUSTERSET_IP, each));
    var labels = SliceCopy.labels(WEB, "evil");
    putIntoHub(ServicesResource.EXPORTED_SERVICE, export(object -> object));
    putAddress("ip-6-6-6-6", "6.6.6.6", "evil", labels);
    putAddress("ip-10-249-0-6", "10.249.0.7", "evil", labels);
    putAddress("ip-10-249-0-8", "10.249.00.8", "evil", labels);
    putAddress("ip-10-249-0-9", "10.249.0.9", "another", labels);
    putAddress("ip-10-249-0-10", "10.249.0.10", "evil", ServiceHub.labels(WEB));
    putAddress("ip-10-249-0-11", "not an address", "evil", labels);
    set.settle();
    assertThatEastIsServedAsBefore();
  }

  @Test
  void theAddressOfAMemberThatExportsTheServiceLaterDecidesNothing() {
    putIntoHub(ServicesResource.EXPORTED_SERVICE, export(object -> object));
    putAddress("ip-10-249-0-66", "10.249.0.66", "evil", SliceCopy.labels(WEB, "evil"));
    set.settle();
    assertThatEastIsServedAsBefore();
  }

  @Test
  void theAddressStaysWhenTheClusterThatTookItExportsNoMore() {
    set.export("west", "10.2.0.1", SERVICE);
    set.settle();
    set.unexport("east");
    set.settle();
    assertThat(ip("west")).isEqualTo(address);
    assertThat(ip("east")).isEqualTo(address);
    var owners =
        set.hubObjects.list(ServicesResource.CLUSTERSET_IP, "", Map.of()).stream()
            .map(object -> Fields.text(Fields.map(object.get("spec")), "cluster"));
    assertThat(owners).containsExactly("west");
  }

  @Test
  void aServiceWhoseOnlyExportIsIgnoredIsNotImported() {
    set.unexport("east");
    set.settle();
    putIntoHub(
        ServicesResource.EXPORTED_SERVICE,
        export(object -> with(object, "spec.labels", Map.of("not a key", "x"))));
    set.settle();
    assertThat(set.imported("west")).isEmpty();
  }

  @Test
  void anExportThatNoClusterCouldTakeIsNotSent() {
    ClusterSetInMemory.put(
        set.member("west"),
        ServicesResource.SERVICE,
        "test",
        "web",
        Map.of(),
        Map.of("spec", SERVICE));
    ClusterSetInMemory.put(
        set.member("west"),
        ServicesResource.SERVICE_EXPORT,
        "test",
        "web",
        Map.of(),
        Map.of("spec", Map.of("exportedLabels", Map.of("not a key", "x"))));
    set.settle();
    assertThat(set.condition("west", "Valid")).isEqualTo("False InvalidExport");
    assertThat(set.hubObjects.list(ServicesResource.EXPORTED_SERVICE, "", Map.of())).hasSize(1);
  }
}
