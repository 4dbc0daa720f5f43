package dev.muster.controllers.namespaces;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Namespaces come, fill and are deleted while the controller crashes before and after any request,
 * loses its watch, and others write between any two of its steps. A namespace goes only when
 * nothing is in it, after its pods everything else, and what nobody deleted stays.
 */
class NamespaceSimulationTest {
  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.parse("2026-01-01T00:00:00Z"));
  private static final String OTHER = "example.com/other";
  private static final int STEPS = 800;
  private static final int ROUNDS = 20_000;

  /** The controller's process ends here. */
  private static final class Crash extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private final NamespacesInMemory world = new NamespacesInMemory(this::strike);
  private final NamespaceDeletion deletion = new NamespaceDeletion(world, CLOCK);
  private final Set<String> todo = new LinkedHashSet<>();

  /** Objects that somebody made and nobody deleted, nor their namespace. */
  private final Set<NamespacesInMemory.Key> wanted = new HashSet<>();

  private Random random = new Random(0);
  private boolean calm;
  private int names;
  private int ended;

  private void strike() {
    if (calm) {
      return;
    }
    for (int i = random.nextInt(3); i > 0; i--) {
      others();
    }
    switch (random.nextInt(25)) {
      case 0 -> throw new Crash();
      case 1 -> throw new KubernetesClientException("no answer");
      default -> {}
    }
  }

  /** One thing that somebody else does. */
  private void others() {
    var namespace = "ns-" + random.nextInt(6);
    switch (random.nextInt(12)) {
      case 0, 1 ->
          world.create(
              namespace,
              random.nextInt(4) == 0 ? List.of(OTHER, "kubernetes") : List.of("kubernetes"));
      case 2, 3, 4, 5 -> fill(namespace);
      case 6 -> {
        if (random.nextInt(3) == 0) {
          world.delete(namespace);
          wanted.removeIf(key -> key.namespace().equals(namespace));
        }
      }
      case 7 -> pick().ifPresent(world::release);
      case 8 ->
          pick()
              .ifPresent(
                  key -> {
                    world.userDeletes(key);
                    wanted.remove(key);
                  });
      case 9 -> world.release(namespace, OTHER);
      case 10 -> world.touch(namespace);
      default -> world.widgetsAnswer(random.nextInt(3) > 0);
    }
  }

  private void fill(String namespace) {
    var resources = NamespacesInMemory.RESOURCES;
    var resource = resources.get(random.nextInt(resources.size())).name();
    var key = new NamespacesInMemory.Key(resource, namespace, "o" + ++names);
    if (world.create(key, random.nextInt(3) == 0 ? List.of(OTHER) : List.of())) {
      wanted.add(key);
    }
  }

  private Optional<NamespacesInMemory.Key> pick() {
    var objects = world.objects();
    return objects.isEmpty()
        ? Optional.empty()
        : Optional.of(objects.get(random.nextInt(objects.size())));
  }

  private void see(Namespace namespace) {
    if (NamespaceDeletion.isTerminating(namespace)) {
      todo.add(namespace.getMetadata().getName());
    }
  }

  /** As after a lost watch. */
  private void relist() {
    world.changes().clear();
    world.namespaces().forEach(this::see);
  }

  private void deliver() {
    var change = world.changes().poll();
    if (change != null) {
      see(change);
    }
  }

  private void work() {
    if (todo.isEmpty()) {
      return;
    }
    var name = todo.iterator().next();
    todo.remove(name);
    try {
      if (deletion.finish(name)) {
        ended++;
      } else {
        todo.add(name);
      }
    } catch (Crash e) {
      todo.clear();
      relist();
    } catch (KubernetesClientException e) {
      todo.add(name);
    }
  }

  /** Nothing fails any more, and everybody else finishes what is his. */
  private void settle() {
    calm = true;
    world.widgetsAnswer(true);
    for (int i = 0; i < ROUNDS && !(todo.isEmpty() && world.changes().isEmpty()); i++) {
      if (world.changes().isEmpty()) {
        work();
        world.objects().forEach(world::release);
      } else {
        deliver();
      }
    }
    assertThat(todo).as("what is never finished").isEmpty();
    world.namespaces().forEach(it -> world.release(it.getMetadata().getName(), OTHER));
    world.objects().forEach(world::release);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void namespacesGoWhenTheyAreEmptyAndNothingElseGoes(long seed) {
    random = new Random(seed);
    for (int step = 0; step < STEPS; step++) {
      switch (random.nextInt(10)) {
        case 0, 1, 2 -> work();
        case 3, 4, 5 -> deliver();
        case 6, 7, 8 -> others();
        default -> {
          if (random.nextInt(10) == 0) {
            relist();
          }
        }
      }
    }
    settle();
    assertThat(world.violations()).isEmpty();
    assertThat(world.namespaces()).noneMatch(NamespaceDeletion::isTerminating);
    assertThat(world.objects()).containsExactlyInAnyOrderElementsOf(wanted);
    assertThat(ended).as("something happened").isPositive();
  }
}
