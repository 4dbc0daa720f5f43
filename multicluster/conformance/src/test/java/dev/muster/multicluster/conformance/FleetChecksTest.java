package dev.muster.multicluster.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.multicluster.conformance.Finding.Result;
import dev.muster.multicluster.conformance.FleetObservation.Discovery;
import dev.muster.multicluster.conformance.FleetObservation.Row;
import io.fabric8.kubernetes.api.model.Endpoints;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Fleets that no server of ours would be part of. */
class FleetChecksTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private final List<FleetIdentity> identities = new ArrayList<>();
  private final TreeMap<String, Discovery> discovery = new TreeMap<>();
  private final List<Row> rows = new ArrayList<>();
  private final List<String> collected = new ArrayList<>();
  private final List<EndpointSlice> slices = new ArrayList<>();
  private final PublishedHistory history = new PublishedHistory();
  private String families = "[IPv4, IPv6]";
  private String policy = "RequireDualStack";
  private String addresses = "[10.96.0.1, 'fd00::1']";
  private String endpoint = "192.0.2.1";
  private Optional<TreeSet<String>> unreached = Optional.of(new TreeSet<>());

  /** A fleet of two servers of both families. */
  FleetChecksTest() {
    for (int i = 1; i <= 2; i++) {
      identities.add(server("host-" + i, "192.0.2.1:" + (6442 + i), "[2001:db8::1]:" + (6442 + i)));
      rows.add(new Row("host-" + i + "-17-abcdef", "same", Optional.of(NOW)));
      discovery.put("server-" + i, says(true, "pods"));
      slice("IPv4", "192.0.2.1", 6442 + i);
      slice("IPv6", "2001:db8::1", 6442 + i);
    }
  }

  private static FleetIdentity server(String host, String... sockets) {
    return new FleetIdentity(
        "kube-apiserver-lease",
        host + "-17-abcdef",
        host + "-17-abcdef",
        host,
        true,
        List.of(sockets),
        Optional.of(NOW),
        Optional.of(Duration.ofHours(1)),
        Duration.ofSeconds(10),
        true);
  }

  private Discovery says(boolean consistent, String resources) {
    return new Discovery(
        new TreeMap<>(Map.of("/apis", Optional.of(consistent))),
        new TreeMap<>(Map.of("v1", resources)),
        Optional.of(rows));
  }

  private void slice(String family, String address, int port) {
    slices.add(
        Serialization.unmarshal(
            """
            apiVersion: discovery.k8s.io/v1
            kind: EndpointSlice
            metadata: {name: "%s-%d"}
            addressType: %s
            endpoints: [{addresses: ["%s"]}]
            ports: [{name: https, port: %d}]
            """
                .formatted(family, port, family, address, port),
            EndpointSlice.class));
  }

  private FleetObservation seen() {
    var service =
        Serialization.unmarshal(
            """
            apiVersion: v1
            kind: Service
            metadata: {name: kubernetes}
            spec:
              ipFamilies: %s
              ipFamilyPolicy: %s
              clusterIPs: %s
              ports: [{name: https, port: 443}]
            """
                .formatted(families, policy, addresses),
            Service.class);
    var endpoints =
        Serialization.unmarshal(
            """
            apiVersion: v1
            kind: Endpoints
            metadata: {name: kubernetes}
            subsets:
            - {addresses: [{ip: "%s"}], ports: [{name: https, port: 6443}]}
            - {addresses: [{ip: "%s"}], ports: [{name: https, port: 6444}]}
            """
                .formatted(endpoint, endpoint),
            Endpoints.class);
    return new FleetObservation(
        Duration.ofSeconds(30),
        identities,
        collected,
        discovery,
        new PublishedFleet(Optional.of(service), Optional.of(endpoints), slices),
        history,
        List.of("10.96.0.1", "fd00::1"),
        unreached.map(all -> all));
  }

  private List<Requirement> failed() {
    return FleetSuite.evaluate("fleet", seen()).stream()
        .filter(finding -> finding.result() == Result.FAIL)
        .map(Finding::requirement)
        .toList();
  }

  private Finding finding(FleetRequirement requirement) {
    return FleetSuite.evaluate("fleet", seen()).stream()
        .filter(finding -> finding.requirement() == requirement)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aDualStackFleetPassesInEverythingThatCanBeSeen() {
    collected.add("kube-apiserver-lease/dead");
    assertThat(FleetSuite.evaluate("fleet", seen()))
        .filteredOn(finding -> finding.requirement() != FleetRequirement.DISCOVERY_COLLECTED)
        .allSatisfy(
            finding ->
                assertThat(finding.result())
                    .as("%s: %s", finding.requirement(), finding.detail())
                    .isEqualTo(Result.PASS))
        .allSatisfy(finding -> assertThat(finding.detail()).isNotEmpty())
        .hasSize(
            (int) Stream.of(FleetRequirement.values()).filter(each -> !each.needsFault()).count()
                - 1);
  }

  @Test
  void whatWasNotSeenDoesNotPass() {
    assertThat(finding(FleetRequirement.IDENTITY_COLLECTED))
        .extracting(Finding::result, Finding::detail)
        .containsExactly(
            Result.NOT_OBSERVED, "no Lease was seen to be deleted after it had expired");
    rows.clear();
    identities.clear();
    assertThat(finding(FleetRequirement.DISCOVERY_REPORTED).detail())
        .isEqualTo("there are no entries with ID, hash and heartbeat");
    for (var requirement :
        List.of(
            FleetRequirement.DISCOVERY_REPORTED,
            FleetRequirement.DISCOVERY_COLLECTED,
            FleetRequirement.ENDPOINTS_LIVING,
            FleetRequirement.ENDPOINTS_COMPLETE)) {
      assertThat(finding(requirement).result())
          .as("%s", requirement)
          .isEqualTo(Result.NOT_OBSERVED);
    }
  }

  @Test
  void oneServerAloneDoesNotShowThatIdsAreUnique() {
    identities.removeLast();
    assertThat(finding(FleetRequirement.IDENTITY_UNIQUE).result()).isEqualTo(Result.NOT_OBSERVED);
  }

  /** The first server that is asked is of another make, as a kube-apiserver by default. */
  @Test
  void aServerWithoutCoordinatedDiscoveryIsNamedAndTheOthersAreJudged() {
    discovery.put(
        "a-kube-apiserver",
        new Discovery(
            new TreeMap<>(Map.of("/apis", Optional.empty())), new TreeMap<>(), Optional.empty()));
    var findings = FleetSuite.evaluate("fleet", seen());
    assertThat(failed()).isEmpty();
    assertThat(findings)
        .filteredOn(finding -> finding.result() == Result.NOT_IMPLEMENTED)
        .allSatisfy(finding -> assertThat(finding.cluster()).isEqualTo("a-kube-apiserver"))
        .hasSize(6);
    assertThat(finding(FleetRequirement.DISCOVERY_TOLD).result()).isEqualTo(Result.NOT_IMPLEMENTED);
    assertThat(findings)
        .filteredOn(finding -> finding.result() == Result.PASS)
        .extracting(Finding::requirement)
        .contains(FleetRequirement.DISCOVERY_TOLD, FleetRequirement.DISCOVERY_SAME);
    // Its Lease has no entry, so that the others cannot say that all agree.
    identities.add(server("kube", "192.0.2.1:6443"));
    assertThat(failed()).containsExactly(FleetRequirement.DISCOVERY_TOLD);
    discovery.put("server-1", says(false, "pods"));
    discovery.put("server-2", says(false, "pods"));
    assertThat(failed()).containsExactly(FleetRequirement.DISCOVERY_AGREED);
    identities.add(server("kube-2", "192.0.2.1:6443"));
    assertThat(failed())
        .as("there are more servers without an entry than servers without the API")
        .contains(FleetRequirement.DISCOVERY_REPORTED);
  }

  @Test
  void discoveryThatCallsDifferentHashesConsistentLies() {
    rows.set(1, new Row("host-2-17-abcdef", "other", Optional.of(NOW)));
    assertThat(failed()).containsExactly(FleetRequirement.DISCOVERY_TOLD);
  }

  @Test
  void discoveryThatCallsDifferentDocumentsConsistentLies() {
    discovery.put("server-2", says(true, "pods\nservices"));
    assertThat(failed()).containsExactly(FleetRequirement.DISCOVERY_SAME);
  }

  @Test
  void discoveryThatDoubtsEqualHashesLiesUnlessSomebodySaysNothing() {
    discovery.put("server-1", says(false, "pods"));
    discovery.put("server-2", says(false, "pods"));
    assertThat(failed())
        .containsExactly(FleetRequirement.DISCOVERY_TOLD, FleetRequirement.DISCOVERY_AGREED);
    rows.remove(1);
    assertThat(failed())
        .containsExactly(FleetRequirement.DISCOVERY_REPORTED, FleetRequirement.DISCOVERY_AGREED);
  }

  @Test
  void aDocumentWithoutTheFieldIsNamed() {
    discovery.put(
        "server-1",
        new Discovery(
            new TreeMap<>(Map.of("/apis", Optional.of(true), "/api", Optional.empty())),
            new TreeMap<>(Map.of("v1", "pods")),
            Optional.of(rows)));
    assertThat(failed()).containsExactly(FleetRequirement.DISCOVERY_FIELD);
  }

  @Test
  void anEntryOfLongAgoIsFoundOut() {
    rows.add(new Row("gone-1-abcdef", "same", Optional.of(NOW.minus(Duration.ofHours(1)))));
    assertThat(failed()).containsExactly(FleetRequirement.DISCOVERY_COLLECTED);
  }

  @Test
  void aStaleSliceOfTheSecondFamilyIsFoundOut() {
    families = "[IPv4]";
    policy = "SingleStack";
    addresses = "[10.96.0.1]";
    assertThat(failed()).containsExactly(FleetRequirement.DUAL_STACK_SERVICE);
  }

  @Test
  void aDualStackServiceWithServersOfOneFamilyIsFoundOut() {
    slices.removeIf(slice -> slice.getAddressType().equals("IPv6"));
    identities.clear();
    rows.clear();
    for (int i = 1; i <= 2; i++) {
      identities.add(server("host-" + i, "192.0.2.1:" + (6442 + i)));
      rows.add(new Row("host-" + i + "-17-abcdef", "same", Optional.of(NOW)));
    }
    assertThat(failed()).containsExactly(FleetRequirement.DUAL_STACK_BACKED);
  }

  @Test
  void endpointsOfTheSecondFamilyAreFoundOut() {
    endpoint = "2001:db8::1";
    assertThat(failed()).containsExactly(FleetRequirement.DUAL_STACK_ENDPOINTS);
  }

  @Test
  void aServiceWithAnotherAddressIsFoundOut() {
    addresses = "[10.96.0.9, 'fd00::1']";
    assertThat(failed()).containsExactly(FleetRequirement.DUAL_STACK_FIRST);
  }

  @Test
  void anEndpointThatDoesNotAnswerIsFoundOut() {
    unreached = Optional.of(new TreeSet<>(List.of("192.0.2.1:6444")));
    assertThat(failed()).containsExactly(FleetRequirement.ENDPOINTS_REACHED);
  }

  @Test
  void serversThatDoNotSayTheirAddressesAreCounted() {
    identities.replaceAll(server -> server(server.hostname()));
    assertThat(failed()).isEmpty();
    identities.removeLast();
    assertThat(failed()).containsExactly(FleetRequirement.ENDPOINTS_LIVING);
  }

  @Test
  void aServerThatComesOrGoesDoesNotFlap() {
    var slice = slices.getFirst();
    history.begin(slice);
    history.deleted(slice);
    assertThat(failed()).isEmpty();
    history.written(slice);
    assertThat(failed()).containsExactly(FleetRequirement.ENDPOINTS_STABLE);
  }

  @Test
  void writesThatChangeNothingAreCounted() {
    var slice = slices.getFirst();
    history.begin(slice);
    history.written(slice);
    assertThat(failed()).containsExactly(FleetRequirement.ENDPOINTS_QUIET);
  }

  @Test
  void aWatchThatBreaksOffProvesNothing() {
    history.broken("gone");
    assertThat(FleetSuite.evaluate("fleet", seen()))
        .filteredOn(finding -> finding.result() == Result.NOT_OBSERVED)
        .extracting(Finding::requirement)
        .contains(FleetRequirement.ENDPOINTS_STABLE, FleetRequirement.ENDPOINTS_QUIET);
  }
}
