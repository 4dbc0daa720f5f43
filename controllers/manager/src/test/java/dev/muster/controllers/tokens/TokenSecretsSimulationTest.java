package dev.muster.controllers.tokens;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.controllers.ObjectKey;
import dev.muster.controllers.simulation.Simulation;
import dev.muster.model.json.JsonObject;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Accounts come, go and come again under their names, and people make Secrets for their tokens. */
class TokenSecretsSimulationTest {
  private static final String SECRETS = "/api/v1/secrets";
  private static final String ACCOUNTS = "/api/v1/serviceaccounts";
  private static final String NAME = "kubernetes.io/service-account.name";
  private static final String UID = "kubernetes.io/service-account.uid";

  @ParameterizedTest
  @MethodSource("dev.muster.controllers.simulation.Simulation#seeds")
  void aSecretHoldsATokenOfItsAccountOrIsGone(long seed) {
    var world =
        new Simulation(
            seed,
            (loops, clock) ->
                new TokenSecrets((account, secret) -> secret + uid(account), "pem").start(loops));
    world
        .observed(
            change -> {
              var before = change.before();
              if (change.isEnd() && isGood(world, before) && isYounger(world, before)) {
                world.violated(before + " goes, and its account was there all the time");
              }
            })
        .run(400, () -> others(world));
    for (var secret : world.api().list(SECRETS)) {
      if (secret.string("type").equals("kubernetes.io/service-account-token")) {
        assertThat(isGood(world, secret)).as("%s", secret).isTrue();
        assertThat(secret.object("data").string("token")).isNotEmpty();
        assertThat(secret.object("metadata", "annotations").string(UID))
            .isEqualTo(uid(account(world, secret).orElseThrow()));
      } else {
        assertThat(secret.has("data")).isFalse();
      }
    }
  }

  private static String uid(JsonObject account) {
    return account.object("metadata").string("uid");
  }

  private static Optional<JsonObject> account(Simulation world, JsonObject secret) {
    return world.api().get(ACCOUNTS, "ns", secret.object("metadata", "annotations").string(NAME));
  }

  /** Whether its account is there, and is the one that it was filled for. */
  private static boolean isGood(Simulation world, JsonObject secret) {
    var filled = secret.object("metadata", "annotations").string(UID);
    return account(world, secret)
        .filter(account -> filled.isEmpty() || filled.equals(uid(account)))
        .isPresent();
  }

  private static boolean isYounger(Simulation world, JsonObject secret) {
    return number(secret) > number(account(world, secret).orElseThrow());
  }

  private static int number(JsonObject object) {
    return Integer.parseInt(uid(object).replace("uid-", ""));
  }

  private static void others(Simulation world) {
    var account = "a" + world.pick(3);
    switch (world.pick(6)) {
      case 0, 1 ->
          world.api().create(ACCOUNTS, "metadata: {namespace: ns, name: %s}".formatted(account));
      case 2 -> world.api().delete(ACCOUNTS, "ns", account);
      case 3, 4 ->
          world
              .api()
              .create(
                  SECRETS,
                  """
                  type: %s
                  metadata: {namespace: ns, name: s%d, annotations: {%s: %s}}
                  """
                      .formatted(
                          world.pick(4) == 0 ? "Opaque" : "kubernetes.io/service-account-token",
                          world.pick(5),
                          NAME,
                          account));
      default ->
          world
              .pick(SECRETS)
              .map(ObjectKey::of)
              .ifPresent(
                  key -> {
                    if (world.pick(2) == 0) {
                      world.api().delete(SECRETS, "ns", key.name());
                    } else {
                      world.api().change(SECRETS, "ns", key.name(), it -> it.without("data"));
                    }
                  });
    }
  }
}
