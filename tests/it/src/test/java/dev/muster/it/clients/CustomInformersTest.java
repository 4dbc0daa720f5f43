package dev.muster.it.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.controllers.client.Clients;
import dev.muster.it.ServerInProcess;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesApi;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Informers of both Java clients on a custom resource whose definition goes and comes back. */
@Tag("slow")
class CustomInformersTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final String DEFINITIONS =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  private static final String WIDGETS = "/apis/example.com/v1/namespaces/default/widgets";

  @TempDir private Path folder;
  private ServerInProcess server;
  private KubernetesClient client;
  private final List<String> told = new CopyOnWriteArrayList<>();

  @BeforeEach
  void start() throws IOException {
    server = ServerInProcess.start(folder);
    client = Clients.of(server.kubeconfig());
    define();
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  private void define() {
    client.raw(
        DEFINITIONS,
        "POST",
        """
        {"metadata":{"name":"widgets.example.com"},"spec":{"group":"example.com",
         "scope":"Namespaced","names":{"plural":"widgets","kind":"Widget"},"versions":[{"name":"v1",
          "served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","properties":{
           "spec":{"type":"object","properties":{"size":{"type":"integer"}}}}}}}]}}
        """);
  }

  private void create(String name) {
    client.raw(
        WIDGETS,
        "POST",
        """
        {"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"%s"},"spec":{"size":1}}
        """
            .formatted(name));
  }

  private void report(String what, String name) {
    told.add(what + " " + name);
  }

  private void expect(String... all) {
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(told).contains(all));
  }

  /** What an operator lives through when somebody reinstalls its definitions. */
  private void comeAndGo() {
    expect("added first");
    create("second");
    expect("added second");
    client.raw(DEFINITIONS + "/widgets.example.com", "DELETE", "");
    expect("deleted first", "deleted second");
    await().atMost(PATIENCE).until(() -> client.raw(DEFINITIONS + "/widgets.example.com") == null);
    define();
    create("third");
    expect("added third");
    assertThat(told).doesNotHaveDuplicates();
  }

  @Test
  void fabric8FollowsADefinitionThatGoesAndComesBack() {
    create("first");
    var informer =
        client
            .genericKubernetesResources("example.com/v1", "Widget")
            .inNamespace("default")
            .runnableInformer(0);
    informer.exceptionHandler((started, failure) -> true);
    informer.addEventHandler(
        new ResourceEventHandler<>() {
          @Override
          public void onAdd(GenericKubernetesResource widget) {
            report("added", widget.getMetadata().getName());
          }

          @Override
          public void onUpdate(GenericKubernetesResource old, GenericKubernetesResource widget) {
            report("updated to " + widget.get("spec", "size"), widget.getMetadata().getName());
          }

          @Override
          public void onDelete(GenericKubernetesResource widget, boolean unknown) {
            report("deleted", widget.getMetadata().getName());
          }
        });
    informer.start();
    try {
      comeAndGo();
    } finally {
      informer.stop();
    }
  }

  @Test
  void theOfficialClientFollowsADefinitionThatGoesAndComesBack() throws IOException {
    create("first");
    KubeConfig config;
    try (var file = Files.newBufferedReader(server.kubeconfig(), StandardCharsets.UTF_8)) {
      config = KubeConfig.loadKubeConfig(file);
    }
    var official = ClientBuilder.kubeconfig(config).setReadTimeout(Duration.ZERO).build();
    var factory = new SharedInformerFactory(official);
    var api = new DynamicKubernetesApi("example.com", "v1", "widgets", official);
    var informer = factory.sharedIndexInformerFor(api, DynamicKubernetesObject.class, 0, "default");
    informer.addEventHandler(
        new io.kubernetes.client.informer.ResourceEventHandler<>() {
          @Override
          public void onAdd(DynamicKubernetesObject widget) {
            report("added", widget.getMetadata().getName());
          }

          @Override
          public void onUpdate(DynamicKubernetesObject old, DynamicKubernetesObject widget) {
            // The official client repeats what it knows when it has listed again.
          }

          @Override
          public void onDelete(DynamicKubernetesObject widget, boolean unknown) {
            report("deleted", widget.getMetadata().getName());
          }
        });
    factory.startAllRegisteredInformers();
    try {
      comeAndGo();
    } finally {
      factory.stopAllRegisteredInformers(true);
    }
  }
}
