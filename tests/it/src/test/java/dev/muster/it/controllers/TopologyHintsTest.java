package dev.muster.it.controllers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.controllers.endpoints.EndpointSliceController;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.discovery.v1.Endpoint;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A Service whose endpoints are divided among the zones of real Nodes, while these come and go. */
class TopologyHintsTest {
  @TempDir private Path folder;

  private static String node(String zone) {
    return """
    {apiVersion: v1, kind: Node,
     metadata: {name: n-%1$s, labels: {topology.kubernetes.io/zone: %1$s}},
     status: {allocatable: {cpu: '4'}, conditions: [{type: Ready, status: 'True'}]}}
    """
        .formatted(zone);
  }

  private static void pod(TestCluster cluster, String name, String zone, int number) {
    cluster.create(
        """
        {apiVersion: v1, kind: Pod,
         metadata: {name: %s, namespace: NAMESPACE, labels: {app: web}},
         spec: {nodeName: n-%s, containers: [{name: c, image: i}]}}
        """
            .formatted(name, zone));
    cluster
        .client()
        .pods()
        .inNamespace(cluster.namespace())
        .withName(name)
        .editStatus(
            pod ->
                pod.edit()
                    .editOrNewStatus()
                    .withPhase("Running")
                    .addNewPodIP("10.1.0." + number)
                    .addNewCondition()
                    .withType("Ready")
                    .withStatus("True")
                    .endCondition()
                    .endStatus()
                    .build());
  }

  /** How many endpoints are for each zone, and "" for those without a hint. */
  private static Map<String, Integer> zones(TestCluster cluster) {
    var zones = new TreeMap<String, Integer>();
    var slices =
        cluster.client().discovery().v1().endpointSlices().inNamespace(cluster.namespace()).list();
    for (var slice : slices.getItems()) {
      for (var endpoint : Objects.requireNonNullElse(slice.getEndpoints(), List.<Endpoint>of())) {
        var hints = endpoint.getHints();
        var zone =
            hints == null || hints.getForZones().isEmpty()
                ? ""
                : hints.getForZones().getFirst().getName();
        zones.merge(zone, 1, Integer::sum);
      }
    }
    return zones;
  }

  private static List<String> events(TestCluster cluster) {
    return cluster
        .client()
        .v1()
        .events()
        .inNamespace(cluster.namespace())
        .list()
        .getItems()
        .stream()
        .map(Event::getReason)
        .toList();
  }

  @Test
  void endpointsAreDividedAmongTheZonesThatAreThere() throws IOException {
    try (var cluster =
        TestCluster.start(folder, new EndpointSliceController(2, 100, Clock.systemUTC()))) {
      cluster.nextNamespace();
      cluster.create(node("a"));
      cluster.create(node("b"));
      for (int i = 0; i < 4; i++) {
        pod(cluster, "p" + i, i < 3 ? "a" : "b", i + 1);
      }
      cluster.create(
          """
          {apiVersion: v1, kind: Service,
           metadata: {name: web, namespace: NAMESPACE,
            annotations: {service.kubernetes.io/topology-mode: Auto}},
           spec: {selector: {app: web}, ports: [{port: 80}]}}
          """);
      TestCluster.eventually(() -> assertThat(zones(cluster)).isEqualTo(Map.of("a", 2, "b", 2)));
      TestCluster.eventually(
          () -> assertThat(events(cluster)).contains("TopologyAwareHintsEnabled"));
      cluster.client().nodes().withName("n-b").delete();
      TestCluster.eventually(
          () -> assertThat(events(cluster)).contains("TopologyAwareHintsDisabled"));
      TestCluster.eventually(() -> assertThat(zones(cluster)).containsOnlyKeys(""));
    }
  }
}
