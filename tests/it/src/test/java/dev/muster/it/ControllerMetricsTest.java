package dev.muster.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.controllers.client.Clients;
import dev.muster.testing.FreePorts;
import dev.muster.testing.TestTls;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.authentication.TokenRequest;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code muster controller-manager} says about itself, and to whom. */
@Tag("slow")
class ControllerMetricsTest {
  @TempDir private Path folder;

  @Test
  void theMetricsAreForThoseWhomTheApiServerLetsGetThem() throws Exception {
    int port = FreePorts.find(1).getFirst();
    try (var server = ServerInProcess.start(folder);
        var _ =
            Processes.muster(
                "controller-manager",
                "--kubeconfig=" + server.kubeconfig(),
                "--bind-address=127.0.0.1",
                "--secure-port=" + port);
        var api = Clients.of(server.kubeconfig());
        var http = HttpClient.newBuilder().sslContext(TestTls.trustingAnyone()).build()) {
      var url = "https://127.0.0.1:" + port;
      await()
          .atMost(Duration.ofSeconds(60))
          .ignoreExceptions()
          .until(() -> get(http, url + "/healthz", "").body().equals("ok"));
      assertThat(get(http, url + "/metrics", "").statusCode()).isEqualTo(401);
      assertThat(get(http, url + "/metrics", "nonsense").statusCode()).isEqualTo(401);
      assertThat(get(http, url + "/other", "").statusCode()).isEqualTo(404);
      var stranger = token(api, "stranger");
      assertThat(get(http, url + "/metrics", stranger).statusCode()).isEqualTo(403);
      api.resource(
              """
              apiVersion: rbac.authorization.k8s.io/v1
              kind: ClusterRoleBinding
              metadata: {name: scraper}
              roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: system:monitoring}
              subjects: [{kind: ServiceAccount, namespace: default, name: scraper}]
              """)
          .create();
      var scraper = token(api, "scraper");
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () ->
                  assertThat(get(http, url + "/metrics", scraper).body())
                      .contains("leader_election_master_status{name=\"")
                      .containsPattern("workqueue_adds_total\\{name=\"\\w+\"\\} [1-9]")
                      .containsPattern("rest_client_requests_total\\{code=\"200\""));
    }
  }

  private static HttpResponse<String> get(HttpClient http, String url, String token)
      throws IOException, InterruptedException {
    var request = HttpRequest.newBuilder(URI.create(url));
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    return http.send(request.build(), BodyHandlers.ofString());
  }

  private static String token(KubernetesClient api, String account) {
    var made =
        api.resource(
                new ServiceAccountBuilder()
                    .withNewMetadata()
                    .withNamespace("default")
                    .withName(account)
                    .endMetadata()
                    .build())
            .create();
    return api.serviceAccounts()
        .resource(made)
        .tokenRequest(new TokenRequest())
        .getStatus()
        .getToken();
  }
}
