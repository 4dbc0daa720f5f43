package dev.muster.bench;

import dev.muster.bench.client.PreparedRequest;
import java.util.Locale;

/**
 * Nodes and pods that are bound to them in turn. The pods tolerate everything, so that a server's
 * controllers leave them where they are although no kubelet reports.
 */
final class NodePods {
  private static final int CONTAINERS = 2;
  private static final int VARIABLES = 8;

  /** A change is the next but so many pods, so that neighbours in the store do not follow. */
  private static final long STRIDE = 7_919;

  private final BenchRun session;
  private final int nodes;
  private final int pods;
  private final String path;

  NodePods(BenchRun session, int nodes, int pods) {
    this.session = session;
    this.nodes = nodes;
    this.pods = pods;
    this.path = session.data().configMaps("kubelets", 0).replace("/configmaps", "/pods");
  }

  void create() {
    session
        .data()
        .run(
            "seeding nodes",
            nodes,
            number -> session.requests().post("/api/v1/nodes", node(nodeName(number))));
    // Where no controller makes it.
    session
        .api()
        .call(
            session
                .requests()
                .post(
                    accounts(),
                    "{\"apiVersion\":\"v1\",\"kind\":\"ServiceAccount\","
                        + "\"metadata\":{\"name\":\"default\"}}"));
    session.data().run("seeding pods", pods, number -> session.requests().post(path, pod(number)));
  }

  void delete() {
    session
        .data()
        .run(
            "cleaning up pods",
            pods,
            number ->
                session.requests().delete(path + "/" + podName(number) + "?gracePeriodSeconds=0"));
    session
        .data()
        .run(
            "cleaning up nodes",
            nodes,
            number -> session.requests().delete("/api/v1/nodes/" + nodeName(number)));
    session.api().call(session.requests().delete(accounts() + "/default"));
  }

  private String accounts() {
    return path.replace("/pods", "/serviceaccounts");
  }

  /** A list whose version a watch can go on from. */
  PreparedRequest list() {
    return session.requests().get(path + "?limit=1");
  }

  /** What the kubelet of a node asks for. */
  PreparedRequest watch(int node, String version) {
    return session
        .requests()
        .get(
            "/api/v1/pods?allowWatchBookmarks=true&watch=true&timeoutSeconds=3600&fieldSelector="
                + "spec.nodeName%3D"
                + nodeName(node)
                + "&resourceVersion="
                + version);
  }

  /** The node that has to learn of that change. */
  int nodeOfChange(int change) {
    return podOfChange(change) % nodes;
  }

  /** The change of a pod's status, as its kubelet sends it. */
  PreparedRequest patch(int change) {
    return session
        .requests()
        .patch(
            path + "/" + podName(podOfChange(change)) + "/status",
            "application/strategic-merge-patch+json",
            "{\"status\":{\"phase\":\"Running\",\"message\":\"" + NodeWatch.mark(change) + "\"}}");
  }

  private int podOfChange(int change) {
    return (int) (change * STRIDE % pods);
  }

  private String nodeName(int number) {
    return session.data().prefix() + "-node-" + number;
  }

  private static String podName(int number) {
    return "pod-" + number;
  }

  private static String node(String name) {
    return "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"" + name + "\"}}";
  }

  private String pod(int number) {
    var text =
        new StringBuilder(
            "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"%s\",\"labels\":{\"app\":\"app-%d\"},"
                .formatted(podName(number), number % 100));
    text.append("\"annotations\":{\"bench/payload\":\"").append(session.data().payload());
    text.append("\"}},\"spec\":{\"nodeName\":\"").append(nodeName(number % nodes));
    text.append("\",\"tolerations\":[{\"operator\":\"Exists\"}],\"containers\":[");
    for (int i = 0; i < CONTAINERS; i++) {
      text.append(i == 0 ? "" : ",")
          .append(
              String.format(
                  Locale.ROOT,
                  "{\"name\":\"c%d\",\"image\":\"example.com/image:%d\",\"env\":[",
                  i,
                  i));
      for (int j = 0; j < VARIABLES; j++) {
        text.append(j == 0 ? "" : ",")
            .append("{\"name\":\"VARIABLE_%d\",\"value\":\"the value of it %d\"}".formatted(j, j));
      }
      text.append("]}");
    }
    return text.append("]}}").toString();
  }
}
