package dev.muster.multicluster.dns;

import static dev.muster.multicluster.dns.Imports.balanced;
import static dev.muster.multicluster.dns.Imports.endpoint;
import static dev.muster.multicluster.dns.Imports.headless;
import static dev.muster.multicluster.dns.Imports.slice;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.dns.DnsRecordType;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ServiceRecordsTest {
  private static final ZoneOptions STRICT =
      new ZoneOptions("clusterset.local", Imports.OPTIONS.timeToLive(), true, List.of());

  private static Map<String, NameRecords> names(ImportedService service, ImportedSlice... slices) {
    return ServiceRecords.of(service, List.of(slices), Imports.OPTIONS);
  }

  private static int count(Map<String, NameRecords> names, String name, DnsRecordType type) {
    var records = names.get(name);
    return records == null ? -1 : records.ofType(type).size();
  }

  @Test
  void aServiceWithAnAddressHasItInBothFamilies() {
    var names = names(balanced("web", "10.0.0.1", "fd00::1"));
    assertThat(names).containsOnlyKeys("", "_http._tcp", "_tcp");
    assertThat(count(names, "", DnsRecordType.A)).isEqualTo(1);
    assertThat(count(names, "", DnsRecordType.AAAA)).isEqualTo(1);
    assertThat(count(names, "_http._tcp", DnsRecordType.SRV)).isEqualTo(1);
    assertThat(names.get("_tcp")).isEqualTo(NameRecords.NONE);
  }

  @Test
  void aServiceThatWaitsForItsAddressHasNoName() {
    assertThat(names(balanced("web"))).isEmpty();
  }

  @Test
  void aHeadlessServiceHasEachHostOfEachCluster() {
    var names =
        names(
            headless("db"),
            slice("db", "east", endpoint("db-0", "10.1.0.1"), endpoint("db-1", "10.1.0.2")),
            slice("db", "west", endpoint("db-0", "10.2.0.1")));
    assertThat(names)
        .containsOnlyKeys(
            "", "east", "west", "db-0.east", "db-1.east", "db-0.west", "_http._tcp", "_tcp");
    assertThat(count(names, "", DnsRecordType.A)).isEqualTo(3);
    assertThat(count(names, "east", DnsRecordType.A)).isEqualTo(2);
    assertThat(count(names, "db-0.west", DnsRecordType.A)).isEqualTo(1);
    assertThat(count(names, "_http._tcp", DnsRecordType.SRV)).isEqualTo(3);
  }

  @Test
  void strictlyAClusterHasNoRecordsOfItsOwn() {
    var names =
        ServiceRecords.of(
            headless("db"), List.of(slice("db", "east", endpoint("db-0", "10.1.0.1"))), STRICT);
    assertThat(names.get("east")).isEqualTo(NameRecords.NONE);
    assertThat(count(names, "db-0.east", DnsRecordType.A)).isEqualTo(1);
  }

  @Test
  void anIdMayHaveDots() {
    var names = names(headless("db"), slice("db", "a.b.c", endpoint("db-0", "10.1.0.1")));
    assertThat(count(names, "a.b.c", DnsRecordType.A)).isEqualTo(1);
    assertThat(count(names, "db-0.a.b.c", DnsRecordType.A)).isEqualTo(1);
    assertThat(names.get("b.c")).isEqualTo(NameRecords.NONE);
    assertThat(names.get("c")).isEqualTo(NameRecords.NONE);
  }

  @Test
  void aHostComesBeforeAClusterOfTheSameName() {
    var names =
        names(
            headless("db"),
            slice("db", "b", endpoint("a", "10.1.0.1")),
            slice("db", "a.b", endpoint("x", "10.2.0.1"), endpoint("y", "10.2.0.2")));
    assertThat(count(names, "a.b", DnsRecordType.A)).isEqualTo(1);
  }

  @Test
  void anEndpointWithoutANameIsCalledByItsAddress() {
    var names =
        names(
            headless("db"), slice("db", "east", endpoint("", "10.1.0.1"), endpoint("", "fd00::1")));
    assertThat(names).containsKeys("10-1-0-1.east", "fd00-0-0-0-0-0-0-1.east");
  }

  @Test
  void aHeadlessServiceWithoutReadyEndpointsHasNoName() {
    assertThat(names(headless("db"), slice("db", "east"))).isEmpty();
  }

  @Test
  void whatDoesNotFitIntoANameIsLeftOut() {
    var id = ("x".repeat(60) + ".").repeat(3) + "y".repeat(42);
    var names = names(headless("db"), slice("db", id, endpoint("db-0", "10.1.0.1")));
    assertThat(names).containsOnlyKeys("");
    var host = names(headless("db"), slice("db", "east", endpoint("h".repeat(64), "10.1.0.1")));
    assertThat(host).containsOnlyKeys("", "east");
  }

  @Test
  void endpointsAreReadAsKubernetesWritesThem() {
    var slice =
        ImportedSlice.read(
            Map.of(
                "metadata",
                Map.of(
                    "name",
                    "s",
                    "namespace",
                    "test",
                    "labels",
                    Map.of(
                        "multicluster.kubernetes.io/service-name",
                        "db",
                        "multicluster.kubernetes.io/source-cluster",
                        "east")),
                "ports",
                List.of(Map.of("name", "http", "port", 8080), Map.of("port", 1)),
                "endpoints",
                List.of(
                    Map.of("addresses", List.of("10.0.0.1"), "hostname", "a"),
                    Map.of("addresses", List.of("10.0.0.2"), "conditions", Map.of("ready", true)),
                    Map.of("addresses", List.of("10.0.0.3"), "conditions", Map.of("ready", false)),
                    Map.of("addresses", List.of("no address")))));
    assertThat(slice.service().toString()).isEqualTo("test/db");
    assertThat(slice.cluster()).isEqualTo("east");
    assertThat(slice.ports()).containsExactly(new ImportedService.ServicePort("http", "TCP", 8080));
    assertThat(slice.endpoints()).hasSize(2);
  }
}
