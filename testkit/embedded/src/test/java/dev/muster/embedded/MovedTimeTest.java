package dev.muster.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fabric8.kubernetes.api.model.ListOptions;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
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

  @Test
  void aListThatIsReadTooSlowlyGoesOnFromThePlaceWhereItWas() {
    try (var cluster = Muster.start(MusterOptions.defaults().withControllers())) {
      var secrets = cluster.client().secrets().inNamespace("default");
      for (int i = 0; i < 6; i++) {
        secrets.resource(secret("s" + i)).create();
      }
      var first = secrets.list(new ListOptionsBuilder().withLimit(2L).build());
      // Others write, and secrets stay as they are: it is time that counts.
      for (int minute = 0; minute < 10; minute++) {
        cluster.advance(Duration.ofMinutes(1));
        cluster.client().namespaces().resource(namespace("n" + minute)).create();
      }
      var expired =
          catchThrowableOfType(
              KubernetesClientException.class,
              () -> secrets.list(next(first.getMetadata().getContinue())));
      assertThat(expired.getCode()).isEqualTo(410);
      var token = expired.getStatus().getMetadata().getContinue();
      assertThat(token).isNotEmpty();
      var second = secrets.list(next(token));
      assertThat(second.getItems())
          .extracting(secret -> secret.getMetadata().getName())
          .containsExactly("s2", "s3");
      assertThat(secrets.list(next(second.getMetadata().getContinue())).getItems())
          .extracting(secret -> secret.getMetadata().getName())
          .containsExactly("s4", "s5");
    }
  }

  @Test
  void aListOfWhatChangesGoesOnFromThePlaceWhereItWas() {
    try (var cluster = Muster.start(MusterOptions.defaults().withControllers())) {
      var secrets = cluster.client().secrets().inNamespace("default");
      for (int i = 0; i < 4; i++) {
        secrets.resource(secret("s" + i)).create();
      }
      var first = secrets.list(new ListOptionsBuilder().withLimit(2L).build());
      for (int minute = 0; minute < 10; minute++) {
        cluster.advance(Duration.ofMinutes(1));
        secrets.resource(secret("t" + minute)).create();
      }
      var expired =
          catchThrowableOfType(
              KubernetesClientException.class,
              () -> secrets.list(next(first.getMetadata().getContinue())));
      assertThat(expired.getCode()).isEqualTo(410);
      assertThat(secrets.list(next(expired.getStatus().getMetadata().getContinue())).getItems())
          .extracting(secret -> secret.getMetadata().getName())
          .containsExactly("s2", "s3");
    }
  }

  private static ListOptions next(String token) {
    return new ListOptionsBuilder().withLimit(2L).withContinue(token).build();
  }

  private static Secret secret(String name) {
    return new SecretBuilder().withNewMetadata().withName(name).endMetadata().build();
  }

  private static Namespace namespace(String name) {
    return new NamespaceBuilder().withNewMetadata().withName(name).endMetadata().build();
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
