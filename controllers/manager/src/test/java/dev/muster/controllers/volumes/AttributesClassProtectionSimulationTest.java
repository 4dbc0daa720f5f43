package dev.muster.controllers.volumes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.controllers.Finalizers;
import dev.muster.controllers.ObjectKey;
import dev.muster.controllers.simulation.Simulation;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A class that is deleted stays while a volume or a claim names it, and goes after that. */
class AttributesClassProtectionSimulationTest {
  private static final String CLASSES = "/apis/storage.k8s.io/v1/volumeattributesclasses";
  private static final String VOLUMES = "/api/v1/persistentvolumes";
  private static final String CLAIMS = "/api/v1/persistentvolumeclaims";

  @ParameterizedTest
  @MethodSource("dev.muster.controllers.simulation.Simulation#seeds")
  void aClassStaysWhileItIsNamed(long seed) {
    var world =
        new Simulation(seed, (loops, clock) -> new AttributesClassProtection().start(loops));
    var names = List.of("k0", "k1", "k2");
    world.observed(
        change -> {
          if (change.isEnd() && isNamed(world, change.before())) {
            world.violated(change.before() + " goes while it is named");
          }
        });
    world.run(
        400,
        () -> {
          switch (world.pick(6)) {
            case 0, 1 ->
                world.api().create(CLASSES, "metadata: {name: %s}".formatted(world.pick(names)));
            case 2 -> world.api().delete(CLASSES, "", world.pick(names));
            case 3 ->
                living(world)
                    .ifPresent(
                        named ->
                            world
                                .api()
                                .create(
                                    CLAIMS,
                                    """
                                    metadata: {namespace: ns, name: c%d}
                                    spec: {volumeAttributesClassName: %s}
                                    """
                                        .formatted(world.pick(3), named)));
            case 4 ->
                living(world)
                    .ifPresent(
                        named ->
                            world
                                .api()
                                .create(
                                    VOLUMES,
                                    """
                                    metadata: {name: v%d}
                                    spec: {volumeAttributesClassName: %s}
                                    """
                                        .formatted(world.pick(3), named)));
            default ->
                living(world)
                    .ifPresent(
                        other -> release(world, world.pick(List.of(CLAIMS, VOLUMES)), other));
          }
        });
    for (var found : world.api().list(CLASSES)) {
      assertThat(Finalizers.has(found, AttributesClassProtection.FINALIZER)).isTrue();
      assertThat(Finalizers.isDeleting(found) && !isNamed(world, found)).as("%s", found).isFalse();
    }
  }

  /** A class that somebody may name who looks first. */
  private static Optional<String> living(Simulation world) {
    return world
        .pick(CLASSES)
        .filter(found -> !Finalizers.isDeleting(found))
        .map(found -> ObjectKey.of(found).name());
  }

  /** Somebody who names a class goes, or names another. */
  private static void release(Simulation world, String collection, String other) {
    world
        .pick(collection)
        .map(ObjectKey::of)
        .ifPresent(
            key -> {
              if (world.pick(2) == 0) {
                world.api().delete(collection, key.namespace(), key.name());
              } else {
                world
                    .api()
                    .change(
                        collection,
                        key.namespace(),
                        key.name(),
                        user -> user.withAt(Json.of(other), "spec", "volumeAttributesClassName"));
              }
            });
  }

  private static boolean isNamed(Simulation world, JsonObject found) {
    return Stream.of(VOLUMES, CLAIMS)
        .flatMap(collection -> world.api().list(collection).stream())
        .anyMatch(
            user -> AttributesClassProtection.classes(user).contains(ObjectKey.of(found).name()));
  }
}
