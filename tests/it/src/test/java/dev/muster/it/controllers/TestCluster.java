package dev.muster.it.controllers;

import static org.awaitility.Awaitility.await;

import dev.muster.controllers.Controller;
import dev.muster.controllers.client.Clients;
import dev.muster.it.ServerInProcess;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.core.ThrowingRunnable;

/** Used by one thread. A server in this process, and the controllers that a test is about. */
final class TestCluster implements AutoCloseable {
  private static final AtomicInteger NAMES = new AtomicInteger();

  private final Deque<AutoCloseable> running = new ArrayDeque<>();
  private final ServerInProcess server;
  private final KubernetesClient client;
  private String namespace = "default";

  private TestCluster(ServerInProcess server) {
    this.server = server;
    this.client = Clients.of(server.kubeconfig());
    running.push(server);
    running.push(client);
  }

  static TestCluster start(Path folder, Controller... controllers) throws IOException {
    var cluster = new TestCluster(ServerInProcess.start(folder));
    for (var controller : controllers) {
      cluster.running.push(controller.start(cluster.client));
    }
    return cluster;
  }

  KubernetesClient client() {
    return client;
  }

  Path kubeconfig() {
    return server.kubeconfig();
  }

  /** Objects are created in a new namespace from now on. */
  void nextNamespace() {
    namespace = "test-" + NAMES.incrementAndGet();
    client
        .resource(
            new NamespaceBuilder().withNewMetadata().withName(namespace).endMetadata().build())
        .create();
  }

  String namespace() {
    return namespace;
  }

  /** Creates from a text in which NAMESPACE stands for the test's. */
  HasMetadata create(String yaml) {
    return client.resource("---\n" + yaml.replace("NAMESPACE", namespace)).create();
  }

  static void eventually(ThrowingRunnable assertion) {
    await().atMost(Duration.ofSeconds(60)).untilAsserted(assertion);
  }

  @Override
  public void close() {
    while (!running.isEmpty()) {
      try {
        running.pop().close();
      } catch (Exception e) {
        throw new IllegalStateException("does not stop", e);
      }
    }
  }
}
