package dev.muster.controllers.namespaces;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.controllers.Finalizers;
import dev.muster.controllers.ObjectKey;
import dev.muster.controllers.simulation.Simulation;
import dev.muster.model.json.Json;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Namespaces come and go, and people delete and damage what each of them is to have. */
class ObjectInEveryNamespaceSimulationTest {
  private static final String NAMESPACES = "/api/v1/namespaces";

  @ParameterizedTest
  @MethodSource("dev.muster.controllers.simulation.Simulation#seeds")
  void everyNamespaceHasItsServiceAccount(long seed) {
    everyNamespaceHasIts(ObjectInEveryNamespace.serviceAccounts(), seed);
  }

  @ParameterizedTest
  @MethodSource("dev.muster.controllers.simulation.Simulation#seeds")
  void everyNamespaceHasTheCertificatesOfTheServer(long seed) {
    everyNamespaceHasIts(ObjectInEveryNamespace.rootCertificates("pem"), seed);
  }

  private static void everyNamespaceHasIts(ObjectInEveryNamespace controller, long seed) {
    var world = new Simulation(seed, (loops, clock) -> controller.start(loops));
    var objects = "/api/v1/" + controller.plural();
    var wanted = controller.desired();
    world.run(300, () -> others(world, objects, ObjectKey.of(wanted).name()));
    for (var namespace : world.api().list(NAMESPACES)) {
      var present =
          world.api().get(objects, ObjectKey.of(namespace).name(), ObjectKey.of(wanted).name());
      if (!Finalizers.isDeleting(namespace)) {
        assertThat(present.orElseThrow().object("data")).isEqualTo(wanted.object("data"));
      }
    }
  }

  private static void others(Simulation world, String objects, String name) {
    var namespace = "ns" + world.pick(4);
    switch (world.pick(6)) {
      case 0, 1 -> world.api().create(NAMESPACES, "metadata: {name: %s}".formatted(namespace));
      case 2 ->
          world
              .api()
              .change(
                  NAMESPACES,
                  "",
                  namespace,
                  found ->
                      found
                          .withAt(Json.of("2026-01-01T00:00:00Z"), "metadata", "deletionTimestamp")
                          .withAt(Json.of(1), "metadata", "deletionGracePeriodSeconds"));
      case 3 -> {
        if (world.api().get(NAMESPACES, "", namespace).filter(Finalizers::isDeleting).isPresent()) {
          world.api().remove(objects, namespace, name);
          world.api().remove(NAMESPACES, "", namespace);
        }
      }
      case 4 -> world.api().delete(objects, namespace, name);
      default -> {
        if (objects.endsWith("/configmaps")
            && world
                .api()
                .get(NAMESPACES, "", namespace)
                .filter(Finalizers::isDeleting)
                .isEmpty()) {
          world
              .api()
              .change(
                  objects, namespace, name, map -> map.withAt(Json.of("forged"), "data", "ca.crt"));
        }
      }
    }
  }
}
