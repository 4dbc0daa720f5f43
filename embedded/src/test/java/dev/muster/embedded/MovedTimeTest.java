package dev.muster.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What ends by the cluster's time ends when a test moves it. */
class MovedTimeTest {
  @Test
  void tokensExpire() {
    try (var cluster = Muster.start(MusterOptions.defaults().withControllers("serviceaccount"));
        var bearer = bearer(cluster, Duration.ofHours(1))) {
      assertThat(code(bearer)).as("known, and allowed nothing").isEqualTo(403);
      cluster.advance(Duration.ofMinutes(59));
      assertThat(code(bearer)).isEqualTo(403);
      cluster.advance(Duration.ofMinutes(2));
      assertThat(code(bearer)).as("unknown").isEqualTo(401);
    }
  }

  private static KubernetesClient bearer(TestCluster cluster, Duration life) {
    var request =
        new TokenRequestBuilder()
            .withNewSpec()
            .withExpirationSeconds(life.toSeconds())
            .endSpec()
            .build();
    var token =
        cluster
            .client()
            .serviceAccounts()
            .withName("default")
            .tokenRequest(request)
            .getStatus()
            .getToken();
    var config =
        new ConfigBuilder(cluster.client().getConfiguration()).withOauthToken(token).build();
    return new KubernetesClientBuilder().withConfig(config).build();
  }

  private static int code(KubernetesClient client) {
    return catchThrowableOfType(KubernetesClientException.class, () -> client.configMaps().list())
        .getCode();
  }
}
