package dev.muster.multicluster.services;

import static dev.muster.multicluster.services.ClusterSetInMemory.WEB;
import static dev.muster.multicluster.services.ClusterSetInMemory.port;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServiceSyncTest {
  private static final Map<String, Object> BALANCED =
      Map.of(
          "clusterIP", "10.0.0.1",
          "ipFamilies", List.of("IPv4", "IPv6"),
          "sessionAffinity", "ClientIP",
          "internalTrafficPolicy", "Cluster",
          "trafficDistribution", "PreferClose",
          "ports", List.of(port("http", 80)));

  private static final Map<String, Object> HEADLESS =
      Map.of(
          "clusterIP", "None",
          "ipFamilies", List.of("IPv4"),
          "ports", List.of(port("http", 80)));

  private final ClusterSetInMemory set = new ClusterSetInMemory();

  private static Map<String, Object> spec(Map<String, Object> object) {
    return Fields.map(object.get("spec"));
  }

  private void assertNothingIsLeft() {
    assertNothingIsLeft(set);
  }

  private static void assertNothingIsLeft(ClusterSetInMemory set) {
    for (var resource :
        List.of(
            ServicesResource.EXPORTED_SERVICE,
            ServicesResource.ENDPOINT_SLICE,
            ServicesResource.CLUSTERSET_IP)) {
      assertThat(set.hubObjects.list(resource, "", Map.of())).isEmpty();
    }
    for (var cluster : List.of("east", "west")) {
      assertThat(set.imported(cluster)).isEmpty();
      assertThat(set.endpoints(cluster)).isEmpty();
    }
  }

  @Test
  void anExportIsImportedEverywhereWithOneAddressOfEachFamily() {
    set.export("east", "10.1.0.1", BALANCED);
    set.settle();
    assertThat(set.condition("east", "Valid")).isEqualTo("True Valid");
    assertThat(set.condition("east", "Ready")).isEqualTo("True Exported");
    assertThat(set.condition("east", "Conflict")).isEqualTo("False NoConflicts");
    var imported = spec(set.imported("west"));
    assertThat(imported).isEqualTo(spec(set.imported("east")));
    assertThat(imported)
        .containsEntry("type", "ClusterSetIP")
        .containsEntry("sessionAffinity", "ClientIP")
        .containsEntry("internalTrafficPolicy", "Cluster")
        .containsEntry("trafficDistribution", "PreferClose")
        .containsEntry("ports", List.of(port("http", 80)));
    assertThat(Fields.list(imported.get("ips"))).hasSize(2);
    assertThat(Fields.map(set.imported("west").get("status")))
        .containsEntry("clusters", List.of(Map.of("cluster", "east")));
    assertThat(set.endpoints("west")).containsExactly("east 10.1.0.1");
    assertThat(set.endpoints("east")).containsExactly("east 10.1.0.1");
  }

  @Test
  void endpointsOfAllClustersAreUnitedAndFollowTheirSource() {
    set.export("east", "10.1.0.1", HEADLESS);
    set.export("west", "10.2.0.1", HEADLESS);
    set.settle();
    assertThat(set.endpoints("east")).containsExactly("east 10.1.0.1", "west 10.2.0.1");
    assertThat(spec(set.imported("east"))).containsEntry("type", "Headless");
    set.endpoint("west", "web-1", "10.2.0.9");
    set.endpoint("west", "web-2", "10.2.0.8");
    set.settle();
    assertThat(set.endpoints("east"))
        .containsExactly("east 10.1.0.1", "west 10.2.0.8", "west 10.2.0.9");
  }

  @Test
  void theOldestExportDecidesAndAllAreTold() {
    set.export("west", "10.2.0.1", HEADLESS);
    set.export("east", "10.1.0.1", BALANCED);
    set.settle();
    assertThat(spec(set.imported("west"))).isEqualTo(spec(set.imported("east")));
    for (var cluster : List.of("east", "west")) {
      assertThat(set.condition(cluster, "Conflict")).startsWith("True TypeConflict,");
    }
    set.unexport("east");
    set.settle();
    assertThat(set.condition("west", "Conflict")).isEqualTo("False NoConflicts");
  }

  @Test
  void anUnexportRemovesEverythingEverywhere() {
    set.export("east", "10.1.0.1", BALANCED);
    set.settle();
    set.unexport("east");
    set.settle();
    assertNothingIsLeft();
  }

  @Test
  void aServiceThatIsGoneOrExternalIsNotExported() {
    set.export("east", "10.1.0.1", BALANCED);
    set.settle();
    var east = set.member("east");
    east.delete(
        ServicesResource.SERVICE, east.get(ServicesResource.SERVICE, "test", "web").orElseThrow());
    set.settle();
    assertThat(set.condition("east", "Valid")).isEqualTo("False NoService");
    assertNothingIsLeft();
    set.export("east", "10.1.0.1", Map.of("type", "ExternalName", "externalName", "example.com"));
    set.settle();
    assertThat(set.condition("east", "Valid")).isEqualTo("False InvalidServiceType");
    assertNothingIsLeft();
  }

  @Test
  void aClusterThatLeavesTakesItsEndpointsWithIt() {
    set.export("east", "10.1.0.1", BALANCED);
    set.export("west", "10.2.0.1", BALANCED);
    set.settle();
    set.sync("west").leave();
    set.sync("east").sync(WEB);
    assertThat(set.endpoints("east")).containsExactly("east 10.1.0.1");
    assertThat(set.imported("west")).isEmpty();
    assertThat(set.endpoints("west")).isEmpty();
    assertThat(set.condition("west", "Ready")).isEqualTo("False Pending");
  }

  @Test
  void anImportOfSomebodyElseIsLeftAlone() {
    ClusterSetInMemory.put(
        set.member("west"),
        ServicesResource.SERVICE_IMPORT,
        "test",
        "web",
        Map.of(),
        Map.of("spec", Map.of("type", "Headless")));
    set.export("east", "10.1.0.1", BALANCED);
    set.settle();
    assertThat(spec(set.imported("west"))).isEqualTo(Map.of("type", "Headless"));
    set.unexport("east");
    set.settle();
    assertThat(set.imported("west")).isNotEmpty();
  }

  @Test
  void aMemberWithoutTheNamespaceImportsNothing() {
    var west = set.member("west");
    west.delete(
        ServicesResource.NAMESPACE, west.get(ServicesResource.NAMESPACE, "", "test").orElseThrow());
    set.export("east", "10.1.0.1", BALANCED);
    set.settle();
    assertThat(set.imported("west")).isEmpty();
    assertThat(set.endpoints("west")).isEmpty();
  }

  @Test
  void whatIsInLineIsNotWrittenAgain() {
    set.export("east", "10.1.0.1", BALANCED);
    set.export("west", "10.2.0.1", BALANCED);
    set.settle();
    int before = set.faults.writes();
    set.settle();
    assertThat(set.faults.writes()).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aCrashAtAnyWriteIsMadeGoodByTheNextTry(boolean afterTheWrite) {
    var whole = new ClusterSetInMemory();
    whole.export("east", "10.1.0.1", BALANCED);
    whole.export("west", "10.2.0.1", BALANCED);
    int first = whole.faults.writes();
    whole.settle();
    int writes = whole.faults.writes() - first;
    assertThat(writes).isGreaterThan(10);
    for (int write = 0; write < writes; write++) {
      var broken = new ClusterSetInMemory();
      broken.export("east", "10.1.0.1", BALANCED);
      broken.export("west", "10.2.0.1", BALANCED);
      crash(broken, write, afterTheWrite);
      assertThat(spec(broken.imported("west"))).isEqualTo(spec(whole.imported("west")));
      assertThat(broken.endpoints("west")).isEqualTo(whole.endpoints("west"));
      broken.unexport("east");
      broken.unexport("west");
      crash(broken, write % 8, afterTheWrite);
      assertNothingIsLeft(broken);
    }
  }

  private static void crash(ClusterSetInMemory set, int write, boolean afterTheWrite) {
    set.faults.crashAt(write, afterTheWrite);
    try {
      set.settle();
    } catch (ApiObjectsInMemory.Crash _) {
      set.settle();
    }
    set.faults.crashAt(-1, false);
  }

  /** Members act in any order and die anywhere; when all is quiet, all agree. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void whateverHappensAllAgreeInTheEnd(long seed) {
    var random = new Random(seed);
    var clusters = List.of("east", "west");
    int crashes = 0;
    for (int step = 0; step < 400; step++) {
      var cluster = clusters.get(random.nextInt(2));
      set.faults.crashAt(random.nextInt(12), random.nextBoolean());
      try {
        switch (random.nextInt(5)) {
          case 0 ->
              set.export(
                  cluster,
                  "10.1.0." + random.nextInt(1, 250),
                  random.nextBoolean() ? BALANCED : HEADLESS);
          case 1 -> set.unexport(cluster);
          default -> set.sync(cluster).sync(WEB);
        }
      } catch (ApiObjectsInMemory.Crash _) {
        crashes++;
      }
    }
    assertThat(crashes).isPositive();
    set.faults.crashAt(-1, false);
    set.settle();
    assertThat(spec(set.imported("west"))).isEqualTo(spec(set.imported("east")));
    assertThat(set.endpoints("west")).isEqualTo(set.endpoints("east"));
    clusters.forEach(set::unexport);
    set.settle();
    assertNothingIsLeft();
  }
}
