package dev.muster.controllers.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.controllers.ObjectKey;
import dev.muster.controllers.simulation.Simulation;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tokens come, change, end and go, and people change what is signed with them. */
class BootstrapSimulationTest {
  private static final String MAPS = "/api/v1/configmaps";
  private static final String SECRETS = "/api/v1/secrets";

  @ParameterizedTest
  @MethodSource("dev.muster.controllers.simulation.Simulation#seeds")
  void theMapIsSignedWithExactlyTheTokensThatMay(long seed) {
    var world = new Simulation(seed, (loops, clock) -> new BootstrapSigner(clock).start(loops));
    world.run(300, () -> others(world, Instant.MAX));
    for (var map : world.api().list(MAPS)) {
      assertThat(map.object("data"))
          .isEqualTo(
              BootstrapTokens.signed(
                  map.object("data"), world.api().list(SECRETS), world.clock().instant()));
    }
  }

  @ParameterizedTest
  @MethodSource("dev.muster.controllers.simulation.Simulation#seeds")
  void aTokenGoesWhenItHasEnded(long seed) {
    var world =
        new Simulation(seed, (loops, clock) -> new BootstrapTokenCleaner(clock).start(loops));
    world
        .observed(
            change -> {
              var end = BootstrapTokens.expires(change.before());
              if (end.isEmpty() || end.get().isAfter(world.clock().instant())) {
                world.violated(change.before() + " goes before its end");
              }
            })
        .run(
            300,
            () -> others(world, world.clock().instant().plus(Duration.ofSeconds(world.pick(90)))));
    assertThat(world.api().list(SECRETS))
        .allMatch(
            secret ->
                secret.string("type").equals("Opaque")
                    || BootstrapTokens.expires(secret).isEmpty());
  }

  /**
   * @param end of new tokens
   */
  private static void others(Simulation world, Instant end) {
    var id = "token" + world.pick(4);
    switch (world.pick(6)) {
      case 0, 1 -> world.api().create(SECRETS, token(world, id, end));
      case 2 -> world.api().delete(SECRETS, BootstrapTokens.NAMESPACE, "bootstrap-token-" + id);
      case 3 ->
          world
              .pick(SECRETS)
              .map(ObjectKey::of)
              .ifPresent(
                  key ->
                      world
                          .api()
                          .change(
                              SECRETS,
                              key.namespace(),
                              key.name(),
                              secret -> secret.with("data", token(world, id, end).object("data"))));
      case 4 ->
          world
              .api()
              .create(
                  MAPS,
                  "metadata: {namespace: kube-public, name: cluster-info}\n"
                      + "data: {kubeconfig: some}");
      default -> {
        var text = Json.of("text" + world.pick(5));
        if (world.pick(8) == 0) {
          world.api().delete(MAPS, "kube-public", "cluster-info");
        } else {
          world
              .api()
              .change(
                  MAPS,
                  "kube-public",
                  "cluster-info",
                  map ->
                      map.withAt(
                          text,
                          "data",
                          world.pick(2) == 0 ? "kubeconfig" : "jws-kubeconfig-forged"));
        }
      }
    }
  }

  private static JsonObject token(Simulation world, String id, Instant end) {
    var data =
        JsonObject.builder()
            .put("token-id", encode(id))
            .put("token-secret", encode("secret" + world.pick(3)))
            .put("usage-bootstrap-signing", encode(world.pick(4) == 0 ? "false" : "true"));
    if (end.isBefore(Instant.MAX) && world.pick(4) > 0) {
      data.put("expiration", encode(end.toString()));
    }
    return JsonObject.of(
        "type",
        world.pick(5) == 0 ? "Opaque" : BootstrapTokens.TYPE,
        "metadata",
        JsonObject.of("namespace", BootstrapTokens.NAMESPACE, "name", "bootstrap-token-" + id),
        "data",
        data.build());
  }

  private static String encode(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }
}
