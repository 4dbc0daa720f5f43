package dev.muster.controllers.tokens;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.controllers.simulation.Simulation;
import org.junit.jupiter.api.Test;

class TokenSecretsTest {
  private static final String SECRETS = "/api/v1/secrets";
  private static final String ACCOUNTS = "/api/v1/serviceaccounts";
  private static final String ACCOUNT = "metadata: {namespace: ns, name: a}";

  @Test
  void aSecretGoesWhoseAccountNoEventToldOf() {
    var world =
        new Simulation(
            1, (loops, clock) -> new TokenSecrets((account, secret) -> "token", "").start(loops));
    world.finish();
    world.silence(ACCOUNTS);
    world.api().create(ACCOUNTS, ACCOUNT);
    world
        .api()
        .create(
            SECRETS,
            """
            type: kubernetes.io/service-account-token
            metadata: {namespace: ns, name: s, annotations: {kubernetes.io/service-account.name: a}}
            """);
    world.finish();
    assertThat(world.api().list(SECRETS))
        .singleElement()
        .matches(secret -> secret.object("data").has("token"));
    world.api().delete(ACCOUNTS, "ns", "a");
    world.api().create(ACCOUNTS, ACCOUNT);
    world.breakWatches();
    world.finish();
    assertThat(world.api().list(SECRETS)).as("its token is that of the former account").isEmpty();
  }
}
