package dev.muster.it.clusterset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.controllers.client.Clients;
import dev.muster.it.ServerInProcess;
import dev.muster.multicluster.dns.DnsMetrics;
import dev.muster.multicluster.dns.DnsServer;
import dev.muster.multicluster.dns.ListenAddresses;
import dev.muster.multicluster.dns.ZoneFollower;
import dev.muster.multicluster.dns.ZoneIndex;
import dev.muster.multicluster.dns.ZoneOptions;
import dev.muster.multicluster.services.AddressRange;
import dev.muster.multicluster.services.MemberServices;
import dev.muster.testing.NeedsProgram;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A hub and two members; the second one has a DNS server that is asked with dig. */
@Tag("slow")
@NeedsProgram("dig")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MultiClusterServicesTest {
  private static final String WEST = "west.example.com";
  private static final List<AddressRange> RANGES =
      AddressRange.parseAll(List.of("10.249.0.0/16", "fd10:249::/112"));

  @TempDir private static Path folder;
  private final Deque<AutoCloseable> open = new ArrayDeque<>();
  private KubernetesClient hub;
  private KubernetesClient east;
  private KubernetesClient west;
  private AutoCloseable westServices;
  private int port;
  private int passing;

  @BeforeAll
  void start() throws Exception {
    hub = cluster("hub");
    east = cluster("east");
    west = cluster("west");
    for (var client : List.of(east, west)) {
      var test = new NamespaceBuilder().withNewMetadata().withName("test").endMetadata().build();
      client.resource(test).create();
    }
    open.push(new MemberServices(hub, "set", "east", RANGES).start(east));
    westServices = new MemberServices(hub, "set", WEST, RANGES).start(west);
    var zone = new ZoneOptions("clusterset.local", Duration.ofSeconds(5), false, List.of());
    var index = new ZoneIndex(zone, 1);
    var addresses = List.of(InetAddress.ofLiteral("127.0.0.1"), InetAddress.ofLiteral("::1"));
    var listen = new ListenAddresses(addresses, 0, 1, 1232, Duration.ofSeconds(10), 10);
    var dns = DnsServer.start(listen, index, new DnsMetrics(index));
    open.push(dns);
    port = dns.port();
    open.push(ZoneFollower.start(west, index, zone));
  }

  private KubernetesClient cluster(String name) throws IOException {
    var server = ServerInProcess.start(Files.createDirectory(folder.resolve(name)));
    open.push(server);
    var client = Clients.of(server.kubeconfig());
    open.push(client);
    return client;
  }

  @AfterAll
  void stop() throws Exception {
    westServices.close();
    while (!open.isEmpty()) {
      open.pop().close();
    }
  }

  private static void apply(KubernetesClient client, String yaml) {
    client.resource(yaml).create();
  }

  private static void service(KubernetesClient client, String name, String spec, String... hosts) {
    apply(
        client,
        """
        apiVersion: v1
        kind: Service
        metadata: {name: %s, namespace: test}
        spec: {ports: [{name: http, port: 80}], %s}
        """
            .formatted(name, spec));
    var endpoints = new ArrayList<String>();
    for (var host : hosts) {
      var parts = host.split("=");
      endpoints.add(
          "{addresses: [%s], hostname: %s, conditions: {ready: true}}"
              .formatted(parts[1], parts[0]));
    }
    apply(
        client,
        """
        apiVersion: discovery.k8s.io/v1
        kind: EndpointSlice
        metadata: {name: %1$s-1, namespace: test, labels: {kubernetes.io/service-name: %1$s}}
        addressType: IPv4
        ports: [{name: http, port: 8080, protocol: TCP}]
        endpoints: [%2$s]
        """
            .formatted(name, String.join(", ", endpoints)));
  }

  /** The definition may have come a moment ago. */
  private static void export(KubernetesClient client, String version, String name) {
    await()
        .ignoreExceptions()
        .until(
            () -> {
              apply(
                  client,
                  """
                  apiVersion: multicluster.x-k8s.io/%s
                  kind: ServiceExport
                  metadata: {name: %s, namespace: test}
                  """
                      .formatted(version, name));
              return true;
            });
  }

  private static GenericKubernetesResource object(
      KubernetesClient client, String kind, String name) {
    return client
        .genericKubernetesResources("multicluster.x-k8s.io/v1beta1", kind)
        .inNamespace("test")
        .withName(name)
        .get();
  }

  private static void unexport(KubernetesClient client, String name) {
    client
        .genericKubernetesResources("multicluster.x-k8s.io/v1beta1", "ServiceExport")
        .inNamespace("test")
        .withName(name)
        .delete();
  }

  private List<String> dig(String server, String name, String type, String... more)
      throws IOException {
    var command =
        new ArrayList<>(
            List.of("dig", "-p", String.valueOf(port), "@" + server, name, type, "+short"));
    command.addAll(List.of(more));
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    var text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return text.lines().sorted().toList();
  }

  private void awaitAnswers(String name, String type, String... expected) {
    for (var server : List.of("127.0.0.1", "::1")) {
      await()
          .untilAsserted(
              () ->
                  assertThat(dig(server, name + ".test.svc.clusterset.local", type))
                      .containsExactly(expected));
    }
  }

  private static String condition(KubernetesClient client, String name, String type) {
    var export = object(client, "ServiceExport", name);
    var text = String.valueOf(export.getAdditionalProperties().get("status"));
    int at = text.indexOf("type=" + type + ",");
    return at < 0 ? "" : text.substring(at, text.indexOf('}', at));
  }

  @Test
  void aHeadlessServiceOfTwoClustersIsResolvedByClusterAndHost() {
    service(east, "db", "clusterIP: None", "db-0=10.1.0.1", "db-1=10.1.0.2");
    service(west, "db", "clusterIP: None", "db-0=10.2.0.1");
    export(east, "v1beta1", "db");
    export(west, "v1alpha1", "db");
    awaitAnswers("db", "A", "10.1.0.1", "10.1.0.2", "10.2.0.1");
    awaitAnswers("east.db", "A", "10.1.0.1", "10.1.0.2");
    awaitAnswers(WEST + ".db", "A", "10.2.0.1");
    awaitAnswers("db-0.east.db", "A", "10.1.0.1");
    awaitAnswers("db-0." + WEST + ".db", "A", "10.2.0.1");
    await().untilAsserted(() -> assertThat(condition(east, "db", "Ready")).contains("Exported"));
    await().untilAsserted(() -> assertThat(condition(west, "db", "Valid")).contains("True"));
    assertThat(slices("db"))
        .allSatisfy(
            slice ->
                assertThat(slice.getMetadata().getLabels())
                    .containsKey("multicluster.kubernetes.io/source-cluster"));
    assertThatNothingIsWrittenAtRest();
    unexport(east, "db");
    awaitAnswers("db", "A", "10.2.0.1");
    unexport(west, "db");
    awaitAnswers("db", "A");
    await().untilAsserted(() -> assertThat(object(east, "ServiceImport", "db")).isNull());
    await().untilAsserted(() -> assertThat(slices("db")).isEmpty());
  }

  /** While another service comes and goes, those that nobody changed stay as they are. */
  private void assertThatNothingIsWrittenAtRest() {
    await()
        .untilAsserted(
            () -> {
              var before = versions();
              var name = "passing" + ++passing;
              service(east, name, "clusterIP: None", "a=10.1.3.1");
              export(east, "v1beta1", name);
              awaitAnswers(name, "A", "10.1.3.1");
              unexport(east, name);
              awaitAnswers(name, "A");
              assertThat(versions()).isEqualTo(before);
            });
  }

  private List<String> versions() {
    var versions = new ArrayList<String>();
    for (var client : List.of(east, west)) {
      versions.add(object(client, "ServiceImport", "db").getMetadata().getResourceVersion());
      versions.add(object(client, "ServiceExport", "db").getMetadata().getResourceVersion());
    }
    slices("db").forEach(slice -> versions.add(slice.getMetadata().getResourceVersion()));
    return versions;
  }

  private List<EndpointSlice> slices(String service) {
    return west.discovery()
        .v1()
        .endpointSlices()
        .inNamespace("test")
        .withLabel("multicluster.kubernetes.io/service-name", service)
        .list()
        .getItems();
  }

  @Test
  void aServiceWithAnAddressHasTheSameInAllClustersAndLosesItWithItsLastExport() {
    service(east, "web", "sessionAffinity: ClientIP", "web-0=10.1.0.9");
    export(east, "v1beta1", "web");
    await()
        .untilAsserted(
            () -> {
              var imported = object(west, "ServiceImport", "web");
              assertThat(imported).isNotNull();
              assertThat(String.valueOf(imported.getAdditionalProperties()))
                  .contains("ClusterSetIP", "sessionAffinity=ClientIP", "ips=[10.249.");
            });
    var address = ips(west).getFirst();
    awaitAnswers("web", "A", address);
    awaitAnswers("_http._tcp.web", "SRV", "0 1 80 web.test.svc.clusterset.local.");
    assertThat(ips(east)).isEqualTo(ips(west));
    unexport(east, "web");
    awaitAnswers("web", "A");
    await()
        .untilAsserted(
            () ->
                assertThat(
                        hub.genericKubernetesResources(
                                "clusterset.muster.dev/v1alpha1", "ClusterSetIP")
                            .inAnyNamespace()
                            .list()
                            .getItems())
                    .isEmpty());
  }

  private static List<String> ips(KubernetesClient client) {
    return object(client, "ServiceImport", "web").<List<String>>get("spec", "ips");
  }

  @Test
  void aClusterThatLeavesTakesItsEndpointsWithIt() throws Exception {
    service(east, "left", "clusterIP: None", "a=10.1.1.1");
    service(west, "left", "clusterIP: None", "a=10.2.1.1");
    export(east, "v1beta1", "left");
    export(west, "v1beta1", "left");
    awaitAnswers("left", "A", "10.1.1.1", "10.2.1.1");
    westServices.close();
    var services = new MemberServices(hub, "set", WEST, RANGES);
    services.leave(west);
    awaitAnswers("left", "A");
    await()
        .untilAsserted(
            () ->
                assertThat(
                        east.discovery()
                            .v1()
                            .endpointSlices()
                            .inNamespace("test")
                            .withLabel("multicluster.kubernetes.io/service-name", "left")
                            .list()
                            .getItems())
                    .extracting(MultiClusterServicesTest::source)
                    .containsExactly("east"));
    westServices = services.start(west);
    awaitAnswers("left", "A", "10.1.1.1", "10.2.1.1");
  }

  private static String source(HasMetadata slice) {
    var labels = slice.getMetadata().getLabels();
    return String.valueOf(labels.get("multicluster.kubernetes.io/source-cluster"));
  }
}
