package dev.muster.it.controllers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.controllers.endpoints.EndpointSliceController;
import dev.muster.controllers.endpoints.EndpointsController;
import dev.muster.controllers.endpoints.MirroringController;
import io.fabric8.kubernetes.api.model.discovery.v1.Endpoint;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EndpointsTest {
  private static final int MANY = 300;

  @TempDir private static Path folder;
  private TestCluster cluster;
  private KubernetesClient client;

  @BeforeAll
  void start() throws IOException {
    cluster =
        TestCluster.start(
            folder,
            new EndpointsController(4),
            new EndpointSliceController(4, 100, Clock.systemUTC()),
            new MirroringController(4, 1000, Clock.systemUTC()));
    client = cluster.client();
    cluster.create(
        "{apiVersion: v1, kind: Node, metadata: {name: n, labels:"
            + " {topology.kubernetes.io/zone: z1}}}");
  }

  @AfterAll
  void stop() {
    cluster.close();
  }

  @BeforeEach
  void makeNamespace() {
    cluster.nextNamespace();
  }

  private void service(String name, String spec) {
    cluster.create(
        "{apiVersion: v1, kind: Service, metadata: {name: "
            + name
            + ", namespace: NAMESPACE}, spec: "
            + spec
            + "}");
  }

  private void pod(int number) {
    var name = "p" + number;
    cluster.create(
        "{apiVersion: v1, kind: Pod, metadata: {name: "
            + name
            + ", namespace: NAMESPACE, labels: {app: web}}, spec: {nodeName: n, containers: [{name:"
            + " c, image: i}]}}");
    client
        .pods()
        .inNamespace(cluster.namespace())
        .withName(name)
        .editStatus(
            pod ->
                pod.edit()
                    .editOrNewStatus()
                    .withPhase("Running")
                    .withPodIP("10.1.%d.%d".formatted(number / 256, number % 256))
                    .addNewPodIP("10.1.%d.%d".formatted(number / 256, number % 256))
                    .addNewCondition()
                    .withType("Ready")
                    .withStatus("True")
                    .endCondition()
                    .endStatus()
                    .build());
  }

  private List<EndpointSlice> slices(String service) {
    return client
        .discovery()
        .v1()
        .endpointSlices()
        .inNamespace(cluster.namespace())
        .withLabel("kubernetes.io/service-name", service)
        .list()
        .getItems();
  }

  /** The addresses that are ready, each as often as it is there. */
  private List<String> ready(String service) {
    var addresses = new ArrayList<String>();
    for (var slice : slices(service)) {
      for (var endpoint : endpoints(slice)) {
        if (Boolean.TRUE.equals(endpoint.getConditions().getReady())) {
          addresses.addAll(endpoint.getAddresses());
        }
      }
    }
    addresses.sort(null);
    return addresses;
  }

  private static List<Endpoint> endpoints(EndpointSlice slice) {
    return slice.getEndpoints() == null ? List.of() : slice.getEndpoints();
  }

  private Map<String, String> versions(String service) {
    var versions = new TreeMap<String, String>();
    slices(service)
        .forEach(
            slice ->
                versions.put(
                    slice.getMetadata().getName(), slice.getMetadata().getResourceVersion()));
    return versions;
  }

  @Test
  void podsOfAServiceAreItsEndpointsWhileTheyAreReady() {
    service("web", "{selector: {app: web}, ports: [{port: 80, targetPort: 8080}]}");
    TestCluster.eventually(() -> assertThat(slices("web")).hasSize(1));
    pod(1);
    TestCluster.eventually(() -> assertThat(ready("web")).containsExactly("10.1.0.1"));
    var endpoint = slices("web").getFirst().getEndpoints().getFirst();
    assertThat(endpoint.getZone()).isEqualTo("z1");
    assertThat(endpoint.getTargetRef().getName()).isEqualTo("p1");
    TestCluster.eventually(
        () -> {
          var endpoints = client.endpoints().inNamespace(cluster.namespace()).withName("web").get();
          assertThat(endpoints.getSubsets()).hasSize(1);
          assertThat(endpoints.getSubsets().getFirst().getAddresses().getFirst().getIp())
              .isEqualTo("10.1.0.1");
          assertThat(endpoints.getSubsets().getFirst().getPorts().getFirst().getPort())
              .isEqualTo(8080);
        });
    client.pods().inNamespace(cluster.namespace()).withName("p1").withGracePeriod(0).delete();
    TestCluster.eventually(() -> assertThat(ready("web")).isEmpty());
    client.services().inNamespace(cluster.namespace()).withName("web").delete();
    TestCluster.eventually(
        () ->
            assertThat(client.endpoints().inNamespace(cluster.namespace()).withName("web").get())
                .isNull());
  }

  @Test
  void manyEndpointsStayWhereTheyAreWhenOnePodGoes() {
    service("web", "{selector: {app: web}, ports: [{port: 80}]}");
    for (int i = 0; i < MANY; i++) {
      pod(i);
    }
    TestCluster.eventually(() -> assertThat(ready("web")).hasSize(MANY));
    assertThat(new HashSet<>(ready("web"))).hasSize(MANY);
    assertThat(slices("web")).allMatch(slice -> endpoints(slice).size() <= 100);
    var before = versions("web");
    client.pods().inNamespace(cluster.namespace()).withName("p7").withGracePeriod(0).delete();
    TestCluster.eventually(() -> assertThat(ready("web")).hasSize(MANY - 1));
    var after = versions("web");
    assertThat(after.keySet()).isEqualTo(before.keySet());
    after.entrySet().removeAll(before.entrySet());
    assertThat(after).hasSize(1);
  }

  @Test
  void anotherSelectorMeansOtherEndpoints() {
    pod(1);
    service("web", "{selector: {app: other}, ports: [{port: 80}]}");
    TestCluster.eventually(() -> assertThat(slices("web")).hasSize(1));
    client
        .services()
        .inNamespace(cluster.namespace())
        .withName("web")
        .edit(it -> it.edit().editSpec().addToSelector("app", "web").endSpec().build());
    TestCluster.eventually(() -> assertThat(ready("web")).containsExactly("10.1.0.1"));
  }

  @Test
  void whatSomebodyDamagesIsPutRight() {
    pod(1);
    service("web", "{selector: {app: web}, ports: [{port: 80}]}");
    TestCluster.eventually(() -> assertThat(ready("web")).hasSize(1));
    var slice = slices("web").getFirst();
    client.resource(slice.edit().withEndpoints(List.of()).build()).update();
    TestCluster.eventually(() -> assertThat(ready("web")).containsExactly("10.1.0.1"));
    client.resource(slices("web").getFirst()).delete();
    TestCluster.eventually(() -> assertThat(ready("web")).containsExactly("10.1.0.1"));
  }

  @Test
  void endpointsOfAServiceWithoutASelectorAreMirrored() {
    service("ext", "{ports: [{port: 80}]}");
    cluster.create(
        "{apiVersion: v1, kind: Endpoints, metadata: {name: ext, namespace: NAMESPACE}, subsets:"
            + " [{addresses: [{ip: 192.0.2.1}], ports: [{port: 80}]}]}");
    TestCluster.eventually(() -> assertThat(ready("ext")).containsExactly("192.0.2.1"));
    client.endpoints().inNamespace(cluster.namespace()).withName("ext").delete();
    TestCluster.eventually(() -> assertThat(slices("ext")).isEmpty());
  }
}
