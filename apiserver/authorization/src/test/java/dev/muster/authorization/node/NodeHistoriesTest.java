package dev.muster.authorization.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.authorization.Attributes;
import dev.muster.model.User;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pods and volumes that come and go, and what the nodes may read at each moment. */
class NodeHistoriesTest {
  private static final int NODES = 4;
  private static final int NAMES = 5;
  private static final List<String> NAMESPACES = List.of("a", "b");

  /** A pod as the model knows it: one reference of each kind. */
  private record Pod(String namespace, String node, String secret, String map, String claim) {}

  /** A volume as the model knows it; the claim with its namespace, and so the secret. */
  private record Volume(String claim, String secret) {}

  private final Map<String, Pod> pods = new HashMap<>();
  private final Map<String, Volume> volumes = new HashMap<>();

  /** Walks along all objects for each question. */
  private boolean expected(String node, String resource, String namespace, String name) {
    return switch (resource) {
      case "secrets" ->
          pods.values().stream()
              .filter(pod -> pod.node.equals(node))
              .anyMatch(
                  pod ->
                      (pod.namespace.equals(namespace) && pod.secret.equals(name))
                          || volumes.values().stream()
                              .anyMatch(
                                  volume ->
                                      volume.claim.equals(pod.namespace + "/" + pod.claim)
                                          && volume.secret.equals(namespace + "/" + name)));
      case "configmaps" ->
          pods.values().stream()
              .anyMatch(
                  pod ->
                      pod.node.equals(node)
                          && pod.namespace.equals(namespace)
                          && pod.map.equals(name));
      case "persistentvolumeclaims" ->
          pods.values().stream()
              .anyMatch(
                  pod ->
                      pod.node.equals(node)
                          && pod.namespace.equals(namespace)
                          && pod.claim.equals(name));
      case "persistentvolumes" -> {
        var volume = volumes.get(name);
        yield volume != null
            && pods.values().stream()
                .anyMatch(
                    pod ->
                        pod.node.equals(node)
                            && volume.claim.equals(pod.namespace + "/" + pod.claim));
      }
      case "pods" -> {
        var pod = pods.get(namespace + "/" + name);
        yield pod != null && pod.node.equals(node);
      }
      default -> throw new IllegalArgumentException(resource);
    };
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 5, 8, 13})
  void theDecisionIsAlwaysThatOfAWalkAlongAllObjects(long seed) {
    var random = new Random(seed);
    int allowed = 0;
    try (var cluster = new NodeCluster()) {
      var authorizer = new NodeAuthorizer(cluster::view, List.of());
      for (int step = 0; step < 150; step++) {
        change(random, cluster);
        for (int i = 0; i < 40; i++) {
          allowed += compare(random, authorizer) ? 1 : 0;
        }
      }
    }
    assertThat(allowed).as("questions that were answered with yes").isBetween(200, 5000);
  }

  private boolean compare(Random random, NodeAuthorizer authorizer) {
    var node = "n" + random.nextInt(NODES);
    var resource =
        pick(
            random,
            List.of(
                "secrets", "configmaps", "persistentvolumeclaims", "persistentvolumes", "pods"));
    var namespace = resource.equals("persistentvolumes") ? "" : pick(random, NAMESPACES);
    var name = "x" + random.nextInt(NAMES);
    var decision =
        authorizer.authorize(
            Attributes.resource(
                User.of("system:node:" + node, "system:nodes"),
                "get",
                "",
                "v1",
                resource,
                "",
                namespace,
                name));
    assertThat(decision.allowed())
        .as("%s reads %s %s/%s of %s and %s", node, resource, namespace, name, pods, volumes)
        .isEqualTo(expected(node, resource, namespace, name));
    return decision.allowed();
  }

  private void change(Random random, NodeCluster cluster) {
    var name = "x" + random.nextInt(NAMES);
    var namespace = pick(random, NAMESPACES);
    switch (random.nextInt(6)) {
      case 0, 1, 2 -> {
        var pod =
            new Pod(
                namespace,
                random.nextInt(5) == 0 ? "" : "n" + random.nextInt(NODES),
                "x" + random.nextInt(NAMES),
                "x" + random.nextInt(NAMES),
                "x" + random.nextInt(NAMES));
        pods.put(namespace + "/" + name, pod);
        cluster.put("/pods", json(name, pod));
      }
      case 3 -> {
        var volume =
            new Volume(
                pick(random, NAMESPACES) + "/x" + random.nextInt(NAMES),
                pick(random, NAMESPACES) + "/x" + random.nextInt(NAMES));
        volumes.put(name, volume);
        cluster.put("/persistentvolumes", json(name, volume));
      }
      case 4 -> {
        if (pods.remove(namespace + "/" + name) != null) {
          cluster.remove("/pods", namespace, name);
        }
      }
      default -> {
        if (volumes.remove(name) != null) {
          cluster.remove("/persistentvolumes", "", name);
        }
      }
    }
  }

  private static JsonObject json(String name, Pod pod) {
    return NodeCluster.json(
        """
        {'apiVersion':'v1','kind':'Pod','metadata':{'name':'%s','namespace':'%s'},
         'spec':{'nodeName':'%s','containers':[{'name':'c',
           'envFrom':[{'secretRef':{'name':'%s'}}]}],
          'volumes':[{'name':'m','configMap':{'name':'%s'}},
           {'name':'d','persistentVolumeClaim':{'claimName':'%s'}}]}}
        """
            .formatted(name, pod.namespace, pod.node, pod.secret, pod.map, pod.claim));
  }

  private static JsonObject json(String name, Volume volume) {
    var claim = volume.claim.split("/");
    var secret = volume.secret.split("/");
    return NodeCluster.json(
        """
        {'apiVersion':'v1','kind':'PersistentVolume','metadata':{'name':'%s'},
         'spec':{'claimRef':{'namespace':'%s','name':'%s'},
          'csi':{'driver':'d','nodePublishSecretRef':{'namespace':'%s','name':'%s'}}}}
        """
            .formatted(name, claim[0], claim[1], secret[0], secret[1]));
  }

  private static <T> T pick(Random random, List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  @Test
  void fiveThousandNodesCostAQuestionNoMoreThanOneNodesPods() {
    int nodes = 5_000;
    int perNode = 30;
    var made = new AtomicInteger();
    var counting =
        new References(
            (object, found) -> {
              made.incrementAndGet();
              PodReferences.visit(object, found);
            });
    try (var cluster = new NodeCluster()) {
      var all = new ArrayList<JsonObject>();
      IntStream.range(0, nodes * perNode)
          .forEach(
              i ->
                  all.add(
                      json(
                          "p" + i,
                          new Pod("ns" + i % 100, "n" + i % nodes, "s" + i, "m" + i, "c" + i))));
      cluster.putAll("/pods", all);
      assertThat(reads(cluster, counting, "n77", "ns77", "s77")).isTrue();
      assertThat(reads(cluster, counting, "n77", "ns77", "absent")).isFalse();
      assertThat(made).as("pods that were looked into").hasValue(perNode);
      made.set(0);

      // What was found about a pod stays with it; one that changes is looked into again, alone.
      assertThat(reads(cluster, counting, "n77", "ns77", "s5077")).isTrue();
      assertThat(made).hasValue(0);
      cluster.put("/pods", json("p77", new Pod("ns77", "n77", "other", "m", "c")));
      assertThat(reads(cluster, counting, "n77", "ns77", "s77")).isFalse();
      assertThat(made).hasValue(1);
      cluster.remove("/pods", "ns77", "p5077");
      assertThat(reads(cluster, counting, "n77", "ns77", "s5077")).isFalse();
      assertThat(made).hasValue(1);
    }
  }

  private static boolean reads(
      NodeCluster cluster, References pods, String node, String namespace, String secret) {
    return new NodeGraph(cluster.view(), pods, References.OF_VOLUMES)
        .isReadable(node, namespace, secret);
  }

  @Test
  void aNameWithALineBreakIsNoSecondReference() {
    try (var cluster = new NodeCluster()) {
      var pod = json("p", new Pod("a", "n1", "x", "m", "c"));
      var reference = JsonObject.of("name", "x\nsstolen");
      cluster.put(
          "/pods",
          pod.withAt(
              JsonArray.of(
                  JsonObject.of(
                      "name", "c", "envFrom", JsonArray.of(JsonObject.of("secretRef", reference)))),
              "spec",
              "containers"));
      assertThat(reads(cluster, References.OF_PODS, "n1", "a", "stolen")).isFalse();
    }
  }
}
