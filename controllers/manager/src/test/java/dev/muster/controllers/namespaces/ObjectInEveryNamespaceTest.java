package dev.muster.controllers.namespaces;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.controllers.loop.LoopController;
import dev.muster.controllers.simulation.Simulation;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import org.junit.jupiter.api.Test;

class ObjectInEveryNamespaceTest {
  private static final String NAMESPACES = "/api/v1/namespaces";
  private static final String MAPS = "/api/v1/configmaps";
  private static final String ROOT = "kube-root-ca.crt";

  private static Simulation world(LoopController controller) {
    var world = new Simulation(1, (loops, clock) -> controller.start(loops));
    world.api().create(NAMESPACES, "metadata: {name: old}");
    world.finish();
    return world;
  }

  private static JsonObject root(Simulation world, String namespace) {
    return world.api().get(MAPS, namespace, ROOT).orElse(JsonObject.EMPTY);
  }

  @Test
  void namespacesThatAreThereAndThatComeHaveAServiceAccount() {
    var world = world(ObjectInEveryNamespace.serviceAccounts());
    world.api().create(NAMESPACES, "metadata: {name: new}");
    world.finish();
    assertThat(world.api().list("/api/v1/serviceaccounts"))
        .extracting(account -> account.object("metadata").string("namespace"))
        .containsExactly("new", "old");
  }

  @Test
  void whatIsDeletedIsMadeAgain() {
    var world = world(ObjectInEveryNamespace.rootCertificates("pem"));
    var first = root(world, "old").object("metadata").string("uid");
    world.api().delete(MAPS, "old", ROOT);
    world.finish();
    assertThat(root(world, "old").object("data").string("ca.crt")).isEqualTo("pem");
    assertThat(root(world, "old").object("metadata").string("uid")).isNotEqualTo(first);
  }

  @Test
  void whatIsDeletedWhileNobodyLooksIsMadeAgain() {
    var world = world(ObjectInEveryNamespace.rootCertificates("pem"));
    world.silence(MAPS);
    world.api().create(NAMESPACES, "metadata: {name: new}");
    world.finish();
    world.api().delete(MAPS, "new", ROOT);
    world.breakWatches();
    world.finish();
    assertThat(root(world, "new").object("data").string("ca.crt")).isEqualTo("pem");
  }

  @Test
  void whatIsDamagedIsMended() {
    var world = world(ObjectInEveryNamespace.rootCertificates("pem"));
    world.api().change(MAPS, "old", ROOT, map -> map.withAt(Json.of("forged"), "data", "ca.crt"));
    world.api().change(MAPS, "old", ROOT, map -> map.withAt(Json.of("more"), "data", "x"));
    world.finish();
    assertThat(root(world, "old").object("data")).isEqualTo(JsonObject.of("ca.crt", "pem"));
  }

  @Test
  void anAccountThatSomebodyHasAddedToIsLeftAlone() {
    var world = world(ObjectInEveryNamespace.serviceAccounts());
    var accounts = "/api/v1/serviceaccounts";
    world
        .api()
        .change(
            accounts,
            "old",
            "default",
            account -> account.with("automountServiceAccountToken", false));
    world.finish();
    assertThat(world.api().get(accounts, "old", "default").orElseThrow())
        .matches(account -> account.has("automountServiceAccountToken"));
  }

  @Test
  void aNamespaceThatIsBeingDeletedGetsNothingMore() {
    var world = world(ObjectInEveryNamespace.rootCertificates("pem"));
    world
        .api()
        .change(
            NAMESPACES,
            "",
            "old",
            namespace ->
                namespace
                    .withAt(Json.of("2026-01-01T00:00:00Z"), "metadata", "deletionTimestamp")
                    .withAt(Json.of(1), "metadata", "deletionGracePeriodSeconds"));
    world.api().delete(MAPS, "old", ROOT);
    world.finish();
    assertThat(root(world, "old").isEmpty()).isTrue();
  }
}
