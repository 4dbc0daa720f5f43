package dev.muster.controllers.tokens;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.controllers.simulation.Simulation;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tokens that nobody uses are marked first and deleted much later; one in use never goes. */
class LegacyTokenCleanerSimulationTest {
  private static final String SECRETS = "/api/v1/secrets";
  private static final String PODS = "/api/v1/pods";
  private static final Duration UNUSED = Duration.ofDays(10);

  @ParameterizedTest
  @MethodSource("dev.muster.controllers.simulation.Simulation#seeds")
  void aTokenGoesWhenNobodyHasUsedItForLong(long seed) {
    var world =
        new Simulation(seed, (loops, clock) -> new LegacyTokenCleaner(UNUSED, clock).start(loops));
    world
        .api()
        .create(
            "/api/v1/configmaps",
            """
            metadata: {namespace: kube-system, name: kube-apiserver-legacy-service-account-token-tracking}
            data: {since: '2025-01-01'}
            """);
    world
        .api()
        .create(
            "/api/v1/serviceaccounts",
            """
            metadata: {namespace: ns, name: a}
            secrets: [{name: s0}, {name: s1}, {name: s2}, {name: s3}]
            """);
    world
        .within(UNUSED.multipliedBy(3))
        .observed(
            change -> {
              if (change.isEnd() && wasUsed(world, change.before())) {
                world.violated(change.before() + " goes although it was used");
              }
            })
        .run(300, () -> others(world));
    assertThat(world.api().list(SECRETS))
        .allMatch(
            secret -> name(secret).equals("by-hand") || mounted(world).contains(name(secret)));
  }

  private static String name(JsonObject object) {
    return object.object("metadata").string("name");
  }

  private static Set<String> mounted(Simulation world) {
    return world.api().list(PODS).stream()
        .flatMap(pod -> UnusedTokens.mounted(pod).stream())
        .collect(Collectors.toSet());
  }

  private static boolean wasUsed(Simulation world, JsonObject secret) {
    var used = secret.object("metadata", "labels").string(UnusedTokens.LAST_USED);
    var border = LocalDate.ofInstant(world.clock().instant().minus(UNUSED), ZoneOffset.UTC);
    return !used.isEmpty() && !LocalDate.parse(used).isBefore(border);
  }

  private static void others(Simulation world) {
    var name = "s" + world.pick(4);
    switch (world.pick(7)) {
      case 0 -> secret(world, name);
      case 1 -> secret(world, "by-hand");
      case 2 -> {
        var today = LocalDate.ofInstant(world.clock().instant(), ZoneOffset.UTC).toString();
        world
            .api()
            .change(
                SECRETS,
                "ns",
                name,
                secret ->
                    secret.withAt(Json.of(today), "metadata", "labels", UnusedTokens.LAST_USED));
      }
      case 3 ->
          world
              .api()
              .create(
                  PODS,
                  """
                  metadata: {namespace: ns, name: p%d}
                  spec: {volumes: [{secret: {secretName: %s}}]}
                  """
                      .formatted(world.pick(2), name));
      case 4 -> world.api().delete(PODS, "ns", "p" + world.pick(2));
      default -> world.pass(Duration.ofHours(world.pick(60)));
    }
  }

  private static void secret(Simulation world, String name) {
    world
        .api()
        .create(
            SECRETS,
            """
            type: kubernetes.io/service-account-token
            metadata: {namespace: ns, name: %s, annotations: {kubernetes.io/service-account.name: a}}
            """
                .formatted(name));
  }
}
