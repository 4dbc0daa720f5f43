package dev.muster.it.streams;

import dev.muster.controllers.client.Clients;
import dev.muster.it.Kubectl;
import dev.muster.it.ServerInProcess;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A server, and a node with a kubelet and a pod. */
record KubeletCluster(ServerInProcess server, TestKubelet kubelet, Path folder)
    implements AutoCloseable {

  static KubeletCluster start(Path folder) throws Exception {
    var kubelet = new TestKubelet();
    var server = ServerInProcess.start(folder);
    var kubectl = Kubectl.of(server.kubeconfig());
    var objects =
        Files.writeString(
            folder.resolve("objects.yaml"),
            """
            apiVersion: v1
            kind: Node
            metadata: {name: worker}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: p}
            spec:
              nodeName: worker
              containers:
              - {name: c, image: i}
              - {name: broken, image: i}
              - {name: elsewhere, image: i}
              - {name: garbled, image: i}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: elsewhere}
            spec: {nodeName: worker, containers: [{name: c, image: i}]}
            """);
    kubectl.succeed("apply", "-f", objects.toString());
    var node =
        """
        {"status":{"addresses":[{"type":"InternalIP","address":"127.0.0.1"}],
         "daemonEndpoints":{"kubeletEndpoint":{"Port":%d}}}}
        """
            .formatted(kubelet.port());
    // By a client that can patch the status, which the oldest kubectl cannot.
    var merge = PatchContext.of(PatchType.JSON_MERGE);
    try (var client = Clients.of(server.kubeconfig())) {
      client.nodes().withName("worker").subresource("status").patch(merge, node);
      for (var pod : List.of("p", "elsewhere")) {
        client
            .pods()
            .inNamespace("default")
            .withName(pod)
            .subresource("status")
            .patch(merge, "{\"status\":{\"phase\":\"Running\"}}");
      }
    }
    return new KubeletCluster(server, kubelet, folder);
  }

  Kubectl kubectl(Path program) {
    return new Kubectl(program, server.kubeconfig());
  }

  /** The certificate of who signed the server's. */
  Path authority() {
    return folder.resolve("pki/ca.crt");
  }

  /** Where a path of the server is, for a WebSocket. */
  URI webSocket(String path) {
    return URI.create("wss://127.0.0.1:" + server.port() + path);
  }

  @Override
  public void close() {
    server.close();
    kubelet.close();
  }
}
