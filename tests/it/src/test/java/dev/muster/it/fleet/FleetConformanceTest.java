package dev.muster.it.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.muster.controllers.client.Clients;
import dev.muster.fleet.FleetOptions;
import dev.muster.fleet.endpoints.EndpointOptions;
import dev.muster.fleet.endpoints.ReconcilerType;
import dev.muster.multicluster.conformance.Faults;
import dev.muster.multicluster.conformance.Finding;
import dev.muster.multicluster.conformance.Finding.Result;
import dev.muster.multicluster.conformance.FleetRequirement;
import dev.muster.multicluster.conformance.FleetSuite;
import dev.muster.multicluster.conformance.Requirement;
import dev.muster.server.options.ApiOptions;
import dev.muster.server.options.ListenOptions;
import dev.muster.testing.FreePorts;
import io.fabric8.kubernetes.api.model.EndpointSubsetBuilder;
import io.fabric8.kubernetes.api.model.EndpointsBuilder;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSliceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A fleet that does as the documents say passes; others fail where they do not. */
@Tag("slow")
class FleetConformanceTest {
  /** Three renewals. */
  private static final Duration WATCH = Duration.ofSeconds(3);

  private static final String SERVICE = "kubernetes";

  /** Somebody else publishes the servers: the test, as it likes. */
  private static final FleetOptions UNPUBLISHED =
      new FleetOptions(
          ServersInOneProcess.FAST.identity(),
          ServersInOneProcess.FAST.discovery(),
          EndpointOptions.defaults().withType(ReconcilerType.NONE),
          ServersInOneProcess.FAST.peers());

  @TempDir private Path folder;
  private ServersInOneProcess fleet;
  private final TreeMap<String, KubernetesClient> clients = new TreeMap<>();

  @BeforeEach
  void begin() throws IOException {
    fleet = new ServersInOneProcess(folder);
  }

  @AfterEach
  void end() {
    clients.values().forEach(KubernetesClient::close);
    fleet.close();
  }

  private void start(int servers, FleetOptions options) throws IOException {
    for (int i = 0; i < servers; i++) {
      var server = fleet.start(UnaryOperator.identity(), options, Duration.ZERO);
      clients.put("server-" + i, Clients.of(fleet.kubeconfig(server)));
    }
    awaitConsistent();
  }

  private void awaitConsistent() {
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () ->
                assertThat(fleet.all())
                    .allMatch(server -> server.api().consistent().equals(Optional.of(true))));
  }

  private KubernetesClient client() {
    return clients.firstEntry().getValue();
  }

  private List<Finding> check() throws InterruptedException {
    return new FleetSuite(clients, WATCH).run();
  }

  private List<Requirement> failed() throws InterruptedException {
    var failed = check().stream().filter(finding -> finding.result() == Result.FAIL).toList();
    return failed.stream().map(Finding::requirement).toList();
  }

  @Test
  void aFleetOfThreePassesAndIsLeftAsItWas() throws Exception {
    start(3, ServersInOneProcess.FAST);
    await()
        .untilAsserted(
            () ->
                assertThat(
                        client()
                            .discovery()
                            .v1()
                            .endpointSlices()
                            .inNamespace("default")
                            .list()
                            .getItems())
                    .hasSize(3));
    var findings = check();
    assertThat(findings)
        .filteredOn(finding -> finding.result() == Result.FAIL)
        .as("what fails")
        .isEmpty();
    assertThat(findings)
        .filteredOn(finding -> finding.result() == Result.NOT_IMPLEMENTED)
        .extracting(finding -> finding.requirement().document())
        .containsOnly("KEP-2438");
    assertThat(findings)
        .extracting(Finding::requirement)
        .containsExactlyInAnyOrder(FleetRequirement.values());
    assertThat(findings)
        .filteredOn(finding -> finding.result() == Result.NOT_OBSERVED)
        .extracting(Finding::requirement)
        .containsExactlyInAnyOrder(
            FleetRequirement.IDENTITY_COLLECTED,
            FleetRequirement.DISCOVERY_COLLECTED,
            FleetRequirement.ENDPOINTS_REACHED,
            FleetRequirement.ENDPOINTS_REMOVED,
            FleetRequirement.ENDPOINTS_RETURNED,
            FleetRequirement.IDENTITY_KEPT,
            FleetRequirement.IDENTITY_SKEWED);
    assertThat(findings).allSatisfy(finding -> assertThat(finding.detail()).isNotEmpty());
  }

  /** As kube-apiserver is by default; whichever of the two is asked first. */
  @Test
  void aServerWithoutCoordinatedDiscoveryDoesNotHideThatOthersHaveIt() throws Exception {
    var other =
        fleet.start(
            options ->
                options.withApi(
                    new ApiOptions(Map.of(), Map.of("EnableCoordinatedDiscoveryDocument", false))),
            UNPUBLISHED,
            Duration.ZERO);
    clients.put("a-server-without", Clients.of(fleet.kubeconfig(other)));
    var coordinated = fleet.start(UnaryOperator.identity(), UNPUBLISHED, Duration.ZERO);
    clients.put("b-server-with", Clients.of(fleet.kubeconfig(coordinated)));
    await().until(() -> coordinated.api().consistent().equals(Optional.of(false)));
    var findings = check();
    assertThat(findings)
        .filteredOn(finding -> finding.requirement().document().equals("coordinated discovery"))
        .filteredOn(finding -> finding.cluster().equals("a-server-without"))
        .extracting(Finding::result)
        .containsOnly(Result.NOT_IMPLEMENTED);
    assertThat(findings)
        .filteredOn(finding -> finding.requirement().document().equals("coordinated discovery"))
        .filteredOn(finding -> !finding.cluster().equals("a-server-without"))
        .extracting(Finding::requirement, Finding::result)
        .contains(
            tuple(FleetRequirement.DISCOVERY_FIELD, Result.PASS),
            tuple(FleetRequirement.DISCOVERY_REPORTED, Result.PASS),
            tuple(FleetRequirement.DISCOVERY_TOLD, Result.PASS),
            tuple(FleetRequirement.DISCOVERY_AGREED, Result.FAIL));
  }

  /** The command that sets a clock starts the server anew, three hours ahead, and then right. */
  @Test
  void aServerWhoseClockIsSetWrongIsStillALivingOne() throws Exception {
    var servers = new HashMap<String, ServersInOneProcess.Running>();
    for (int i = 1; i <= 2; i++) {
      var server = published(i, FreePorts.find(1).getFirst(), Duration.ZERO);
      servers.put("192.0.2." + i + ":" + server.port(), server);
      clients.putIfAbsent("server-1", Clients.of(fleet.kubeconfig(server)));
    }
    awaitConsistent();
    var faults =
        new Faults() {
          @Override
          public Set<Kind> possible() {
            return Set.of(Kind.SKEW);
          }

          @Override
          public Duration patience() {
            return Duration.ofSeconds(60);
          }

          @Override
          public void cause(Kind kind, String id, String address, long seconds) {
            assertThat(id).isNotEmpty();
            var before = servers.get(address);
            fleet.stop(before);
            try {
              int host = Integer.parseInt(address.substring(8, address.indexOf(':')));
              servers.put(address, published(host, before.port(), Duration.ofSeconds(seconds)));
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          }
        };
    assertThat(new FleetSuite(clients, WATCH, faults).run())
        .filteredOn(finding -> finding.requirement() == FleetRequirement.IDENTITY_SKEWED)
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.detail()).contains("three hours ahead");
              assertThat(finding.result()).isEqualTo(Result.PASS);
            });
  }

  private ServersInOneProcess.Running published(int host, int port, Duration skew)
      throws IOException {
    var listen =
        new ListenOptions(
            List.of(InetAddress.ofLiteral("127.0.0.1")),
            port,
            List.of(InetAddress.ofLiteral("192.0.2." + host)),
            null,
            250);
    return fleet.start(options -> options.withListen(listen), ServersInOneProcess.FAST, skew);
  }

  @Test
  void aFleetWithoutTheDocumentsIsToldSo() throws Exception {
    var server =
        fleet.start(
            options ->
                options.withApi(
                    new ApiOptions(
                        Map.of(),
                        Map.of(
                            "APIServerIdentity",
                            false,
                            "EnableCoordinatedDiscoveryDocument",
                            false))),
            UNPUBLISHED,
            Duration.ZERO);
    clients.put("bare", Clients.of(fleet.kubeconfig(server)));
    assertThat(check())
        .hasSize(FleetRequirement.values().length)
        .filteredOn(finding -> finding.result() != Result.NOT_OBSERVED)
        .hasSize(FleetRequirement.values().length - 4)
        .allSatisfy(
            finding -> {
              assertThat(finding.result()).isEqualTo(Result.NOT_IMPLEMENTED);
              assertThat(finding.detail()).startsWith("not implemented by this fleet: ");
            });
  }

  @Test
  void aWrongLeaseIsFoundOut() throws Exception {
    start(2, UNPUBLISHED);
    assertThat(failed()).isEmpty();
    var taken = fleet.all().getFirst().api().id();
    lease("twin", "kube-apiserver-lease", taken, now(), 3600, true);
    assertThat(failed()).containsExactly(FleetRequirement.IDENTITY_UNIQUE);
    client().leases().inNamespace("kube-apiserver-lease").withName("twin").delete();
    lease("nobody", "kube-apiserver-lease", "", now(), 3600, true);
    assertThat(failed()).containsExactly(FleetRequirement.IDENTITY_STORED);
    client().leases().inNamespace("kube-apiserver-lease").withName("nobody").delete();
    lease("unmarked", "kube-apiserver-lease", "host-1-abcdef", now(), 3600, false);
    assertThat(failed()).containsExactly(FleetRequirement.IDENTITY_LISTED);
    client().leases().inNamespace("kube-apiserver-lease").withName("unmarked").delete();
    lease("dead", "kube-apiserver-lease", "host-1-abcdef", now().minusHours(3), 3600, true);
    assertThat(failed()).containsExactly(FleetRequirement.IDENTITY_COLLECTED);
    client().leases().inNamespace("kube-apiserver-lease").withName("dead").delete();
    lease("late", "kube-apiserver-lease", "host-1-abcdef", now().minusHours(1), 3600, true);
    assertThat(failed()).as("a dead server's Lease may stay for two hours").isEmpty();
    lease("elsewhere", "kube-system", "host-1-abcdee", now(), 3600, true);
    assertThat(failed()).containsExactly(FleetRequirement.IDENTITY_NAMESPACE);
  }

  private static ZonedDateTime now() {
    return ZonedDateTime.now(ZoneOffset.UTC).minusMinutes(30);
  }

  private void lease(
      String name,
      String namespace,
      String holder,
      ZonedDateTime time,
      int seconds,
      boolean marked) {
    client()
        .resource(
            new LeaseBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(namespace)
                .addToLabels(
                    marked ? "apiserver.kubernetes.io/identity" : "other", "kube-apiserver")
                .addToLabels("kubernetes.io/hostname", "host")
                // Of a server that keeps a row, which is in no doubt until it is seen to live.
                .addToAnnotations("muster.dev/discovery-hash", "some")
                .endMetadata()
                .withNewSpec()
                .withHolderIdentity(holder.isEmpty() ? null : holder)
                .withLeaseDurationSeconds(seconds)
                .withRenewTime(time)
                .endSpec()
                .build())
        .create();
  }

  @Test
  void aServerThatServesSomethingElseIsFoundOut() throws Exception {
    start(2, UNPUBLISHED);
    fleet.start(
        options -> options.withApi(new ApiOptions(Map.of("batch/v1/cronjobs", false), Map.of())),
        UNPUBLISHED,
        Duration.ZERO);
    await().until(() -> fleet.all().getFirst().api().consistent().equals(Optional.of(false)));
    assertThat(failed()).containsOnly(FleetRequirement.DISCOVERY_AGREED);
  }

  /** Two servers that nobody publishes, with the same port on addresses of their own. */
  private int startOnOnePort() throws IOException {
    int port = FreePorts.find(1).getFirst();
    for (int i = 1; i <= 2; i++) {
      var listen =
          new ListenOptions(
              List.of(InetAddress.ofLiteral("127.0.0." + i)),
              port,
              List.of(InetAddress.ofLiteral("192.0.2." + i)),
              null,
              250);
      fleet.start(options -> options.withListen(listen), UNPUBLISHED, Duration.ZERO);
    }
    clients.put("fleet", Clients.of(fleet.kubeconfig(fleet.all().getFirst())));
    awaitConsistent();
    service();
    return port;
  }

  @Test
  void endpointsOfTheDeadAndMissingOnesAreFoundOut() throws Exception {
    int port = startOnOnePort();
    publish(port, "192.0.2.1", "192.0.2.2");
    assertThat(failed()).isEmpty();
    publish(port, "192.0.2.1", "192.0.2.2", "192.0.2.66");
    assertThat(failed()).containsExactly(FleetRequirement.ENDPOINTS_LIVING);
    publish(port, "192.0.2.1");
    assertThat(failed()).containsExactly(FleetRequirement.ENDPOINTS_COMPLETE);
    publish(port, "192.0.2.1", "192.0.2.2");
    client()
        .endpoints()
        .inNamespace("default")
        .withName(SERVICE)
        .edit(
            all -> {
              all.setSubsets(List.of());
              return all;
            });
    assertThat(failed()).containsExactly(FleetRequirement.ENDPOINTS_ALIKE);
    publish(port, "192.0.2.1", "192.0.2.2");
    for (var slice :
        client().discovery().v1().endpointSlices().inNamespace("default").list().getItems()) {
      slice.getPorts().getFirst().setName("other");
      client().resource(slice).update();
    }
    assertThat(failed()).containsExactly(FleetRequirement.ENDPOINTS_PORTS);
  }

  @Test
  void endpointsThatFlapAreFoundOut() throws Exception {
    int port = startOnOnePort();
    publish(port, "192.0.2.1", "192.0.2.2");
    var done = new AtomicBoolean();
    var other =
        Thread.ofVirtual()
            .start(
                () -> {
                  while (!done.get()) {
                    publish(port, "192.0.2.1");
                    publish(port, "192.0.2.1", "192.0.2.2");
                  }
                });
    try {
      assertThat(failed()).contains(FleetRequirement.ENDPOINTS_STABLE);
    } finally {
      done.set(true);
      other.join();
    }
    assertThat(failed()).isEmpty();
  }

  private void service() {
    if (client().services().inNamespace("default").withName(SERVICE).get() == null) {
      client()
          .services()
          .inNamespace("default")
          .resource(
              new ServiceBuilder()
                  .withNewMetadata()
                  .withName(SERVICE)
                  .endMetadata()
                  .withNewSpec()
                  .addNewPort()
                  .withName("https")
                  .withPort(443)
                  .endPort()
                  .endSpec()
                  .build())
          .create();
    }
  }

  /** One subset, and one slice for each address. */
  private void publish(int port, String... addresses) {
    var subset =
        new EndpointSubsetBuilder().addNewPort().withName("https").withPort(port).endPort();
    var wanted = new TreeMap<String, EndpointSlice>();
    for (var address : addresses) {
      subset.addNewAddress().withIp(address).endAddress();
      var name = "kubernetes-" + address.replace('.', '-');
      wanted.put(
          name,
          new EndpointSliceBuilder()
              .withNewMetadata()
              .withName(name)
              .addToLabels("kubernetes.io/service-name", SERVICE)
              .endMetadata()
              .withAddressType("IPv4")
              .addNewEndpoint()
              .withAddresses(address)
              .endEndpoint()
              .addNewPort()
              .withName("https")
              .withPort(port)
              .endPort()
              .build());
    }
    var slices = client().discovery().v1().endpointSlices().inNamespace("default");
    for (var slice : slices.list().getItems()) {
      if (!wanted.containsKey(slice.getMetadata().getName())) {
        slices.withName(slice.getMetadata().getName()).delete();
      }
    }
    wanted.values().forEach(slice -> slices.resource(slice).createOr(each -> each.update()));
    client()
        .endpoints()
        .inNamespace("default")
        .resource(
            new EndpointsBuilder()
                .withNewMetadata()
                .withName(SERVICE)
                .endMetadata()
                .withSubsets(subset.build())
                .build())
        .createOr(each -> each.update());
  }
}
