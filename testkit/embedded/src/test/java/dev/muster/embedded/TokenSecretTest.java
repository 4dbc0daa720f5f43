package dev.muster.embedded;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Operators of old keep a service account's token in a Secret. */
class TokenSecretTest {

  @Test
  void aSecretForAServiceAccountGetsATokenThatCounts() {
    try (var cluster = Muster.start()) {
      var secrets = cluster.client().secrets().inNamespace("default");
      secrets
          .resource(
              new SecretBuilder()
                  .withType("kubernetes.io/service-account-token")
                  .withNewMetadata()
                  .withName("robot")
                  .addToAnnotations("kubernetes.io/service-account.name", "default")
                  .endMetadata()
                  .build())
          .create();
      var filled =
          secrets
              .withName("robot")
              .waitUntilCondition(
                  secret -> secret.getData() != null && secret.getData().containsKey("token"),
                  60,
                  TimeUnit.SECONDS);
      var token = Base64.getDecoder().decode(filled.getData().get("token"));
      var config = Config.fromKubeconfig(cluster.kubeconfig());
      config.setOauthToken(new String(token, StandardCharsets.US_ASCII));
      try (var robot = new KubernetesClientBuilder().withConfig(config).build()) {
        assertThatThrownBy(() -> robot.pods().inNamespace("default").list())
            .hasMessageContaining("User \"system:serviceaccount:default:default\" cannot list");
      }
    }
  }
}
