package dev.muster.it.controllers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.controllers.client.ApiRequests;
import dev.muster.controllers.client.Clients;
import dev.muster.controllers.client.ConnectionOptions;
import dev.muster.controllers.loop.Reflector;
import dev.muster.it.Processes;
import dev.muster.it.ServerInProcess;
import dev.muster.server.options.ListenOptions;
import dev.muster.testing.TcpProxy;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.authentication.SelfSubjectReview;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of the connections of controllers when servers and files are not as usual. */
class ControllerConnectionsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path folder;

  private static Reflector<String> follow(KubernetesClient client, String path, List<String> seen) {
    return Reflector.start(
        new ApiRequests(client),
        path,
        object -> object.get("metadata") instanceof Map<?, ?> map ? "" + map.get("name") : "",
        new Reflector.Handler<>() {
          @Override
          public void seen(String name) {
            seen.add(name);
          }

          @Override
          public void gone(String name) {}
        });
  }

  @Test
  void moreWatchesThanAServerHasStreamsDoNotWaitForOneAnother() throws IOException {
    var reflectors = new ArrayList<Reflector<String>>();
    try (var server =
            ServerInProcess.start(
                folder,
                List.of(),
                options ->
                    options.withListen(
                        new ListenOptions(
                            options.listen().bindAddresses(),
                            0,
                            options.listen().advertiseAddresses(),
                            null,
                            2)));
        var client = Clients.of(server.kubeconfig())) {
      for (int i = 0; i < 150; i++) {
        reflectors.add(
            follow(client, "/api/v1/configmaps?labelSelector=number%3D" + i, new ArrayList<>()));
      }
      await().atMost(PATIENCE).until(() -> reflectors.stream().allMatch(Reflector::synced));
      assertThat(client.namespaces().withName("default").get()).isNotNull();
    } finally {
      reflectors.forEach(Reflector::close);
    }
  }

  private static String user(KubernetesClient client) {
    return client
        .resource(new SelfSubjectReview())
        .create()
        .getStatus()
        .getUserInfo()
        .getUsername();
  }

  @Test
  void aTokenThatIsReplacedInTheKubeconfigIsShownFromThenOn() throws IOException {
    try (var server = ServerInProcess.start(folder);
        var client = Clients.of(server.kubeconfig())) {
      assertThat(user(client)).isEqualTo("admin");
      var text = Files.readString(server.kubeconfig());
      Files.writeString(server.kubeconfig(), text.replace("of-the-test", "of-a-user"));
      await().atMost(PATIENCE).until(() -> user(client).equals("somebody"));
    }
  }

  @Test
  void aServerThatFallsSilentIsLeftAndFoundAgainLater() throws Exception {
    try (var muster = Processes.up(folder)) {
      Processes.awaitUp(muster);
      var direct = Files.readString(folder.resolve("admin.kubeconfig"));
      var url = direct.replaceAll("(?s).*(https://127.0.0.1:\\d+).*", "$1");
      try (var proxy = new TcpProxy(url)) {
        var kubeconfig =
            Files.writeString(
                folder.resolve("through-the-proxy"),
                direct.replace(url, proxy.endpoint().replace("http://", "https://")));
        var seen = new CopyOnWriteArrayList<String>();
        var silence = new ConnectionOptions(Duration.ofSeconds(3));
        try (var client = Clients.of(kubeconfig, silence);
            var other = Clients.of(folder.resolve("admin.kubeconfig"));
            var reflector = follow(client, "/api/v1/namespaces/default/configmaps", seen)) {
          await().atMost(PATIENCE).until(reflector::synced);
          int before = proxy.taken();
          muster.pause();
          try {
            await().atMost(PATIENCE).until(() -> proxy.taken() > before);
          } finally {
            muster.resume();
          }
          other
              .resource(
                  new ConfigMapBuilder()
                      .withNewMetadata()
                      .withName("later")
                      .withNamespace("default")
                      .endMetadata()
                      .build())
              .create();
          await().atMost(PATIENCE).until(() -> seen.contains("later"));
        }
      }
      muster.terminate();
    }
  }
}
