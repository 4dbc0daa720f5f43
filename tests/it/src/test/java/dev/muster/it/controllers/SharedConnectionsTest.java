package dev.muster.it.controllers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.controllers.client.ApiRequests;
import dev.muster.controllers.client.Clients;
import dev.muster.controllers.loop.Reflector;
import dev.muster.it.ServerInProcess;
import dev.muster.testing.TcpProxy;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Controllers follow all there is, through few connections, and none of them waits for another. */
class SharedConnectionsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path folder;
  private ServerInProcess server;
  private TcpProxy proxy;
  private Path kubeconfig;

  @BeforeEach
  void start() throws Exception {
    server = ServerInProcess.start(folder);
    var direct = Files.readString(server.kubeconfig());
    var url = direct.replaceAll("(?s).*(https://127.0.0.1:\\d+).*", "$1");
    proxy = new TcpProxy(url);
    kubeconfig = folder.resolve("through-the-proxy");
    Files.writeString(
        kubeconfig, direct.replace(url, proxy.endpoint().replace("http://", "https://")));
  }

  @AfterEach
  void stop() {
    proxy.close();
    server.close();
  }

  @Test
  void watchesAreStreamsOfFewConnections() {
    var reflectors = new ArrayList<Reflector<String>>();
    try (var client = Clients.of(kubeconfig)) {
      client.namespaces().withName("default").require();
      var requests = new ApiRequests(client);
      for (int i = 0; i < 120; i++) {
        reflectors.add(
            Reflector.start(
                requests,
                "/api/v1/configmaps?labelSelector=number%3D" + i,
                object -> "",
                ignoring()));
      }
      await().atMost(PATIENCE).until(() -> reflectors.stream().allMatch(Reflector::synced));
      assertThat(proxy.taken()).isLessThan(10);
    } finally {
      reflectors.forEach(Reflector::close);
    }
  }

  @Test
  void aStreamThatNobodyReadsDoesNotStopTheOthers() throws Exception {
    try (var client = Clients.of(kubeconfig)) {
      var large = "x".repeat(500_000);
      for (int i = 0; i < 20; i++) {
        client
            .resource(
                new ConfigMapBuilder()
                    .withNewMetadata()
                    .withName("large-" + i)
                    .withNamespace("default")
                    .endMetadata()
                    .withData(Map.of("text", large))
                    .build())
            .create();
      }
      var unread = new ArrayList<InputStream>();
      var base = client.getMasterUrl().toString();
      for (int i = 0; i < 8; i++) {
        var request =
            client
                .getHttpClient()
                .newHttpRequestBuilder()
                .uri(base + "api/v1/namespaces/default/configmaps")
                .forStreaming()
                .build();
        unread.add(
            client
                .getHttpClient()
                .sendAsync(request, InputStream.class)
                .get(60, TimeUnit.SECONDS)
                .body());
      }
      assertThat(client.configMaps().inNamespace("default").withName("large-7").get().getData())
          .containsEntry("text", large);
      for (var stream : unread) {
        assertThat(stream.readAllBytes().length).isGreaterThan(20 * large.length());
      }
    }
  }

  @Test
  void aBrokenConnectionTakesNobodyAlong() {
    try (var client = Clients.of(kubeconfig)) {
      var seen = new CopyOnWriteArrayList<String>();
      var reflector =
          Reflector.start(
              new ApiRequests(client),
              "/api/v1/namespaces/default/configmaps",
              object -> object.get("metadata") instanceof Map<?, ?> map ? "" + map.get("name") : "",
              new Reflector.Handler<>() {
                @Override
                public void seen(String name) {
                  seen.add(name);
                }

                @Override
                public void gone(String name) {}
              });
      try (reflector) {
        await().atMost(PATIENCE).until(reflector::synced);
        proxy.cut();
        for (var name : List.of("one", "two")) {
          await()
              .atMost(PATIENCE)
              .ignoreExceptions()
              .until(
                  () ->
                      client
                              .resource(
                                  new ConfigMapBuilder()
                                      .withNewMetadata()
                                      .withName(name)
                                      .withNamespace("default")
                                      .endMetadata()
                                      .build())
                              .serverSideApply()
                          != null);
        }
        await().atMost(PATIENCE).until(() -> seen.containsAll(List.of("one", "two")));
      }
    }
  }

  private static Reflector.Handler<String> ignoring() {
    return new Reflector.Handler<>() {
      @Override
      public void seen(String object) {}

      @Override
      public void gone(String object) {}
    };
  }
}
