package dev.muster.controllers.namespaces;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.NamespaceCondition;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class NamespaceDeletionTest {
  private static final String HOLDER = "example.com/holder";

  private Instant now = Instant.parse("2026-01-01T00:00:00Z");
  private final NamespacesInMemory world = new NamespacesInMemory(() -> {});
  private final NamespaceDeletion deletion = new NamespaceDeletion(world, () -> now);

  private static NamespacesInMemory.Key key(String resource, String name) {
    return new NamespacesInMemory.Key(resource, "shop", name);
  }

  private NamespaceCondition condition(String type) {
    return world.namespaces().getFirst().getStatus().getConditions().stream()
        .filter(condition -> condition.getType().equals(type))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void whatNobodyDeletedIsLeftAlone() {
    world.create("shop", List.of("kubernetes"));
    world.create(key("configmaps.", "a"), List.of());
    assertThat(deletion.finish("shop")).isTrue();
    assertThat(deletion.finish("never")).isTrue();
    assertThat(world.objects()).hasSize(1);
  }

  @Test
  void podsGoFirstAndAreWaitedFor() {
    world.create("shop", List.of("kubernetes"));
    world.create(key("configmaps.", "a"), List.of());
    world.create(key("pods.", "p"), List.of());
    world.delete("shop");
    assertThat(deletion.finish("shop")).isFalse();
    assertThat(world.objects()).containsExactly(key("configmaps.", "a"), key("pods.", "p"));
    assertThat(condition("NamespaceContentRemaining").getMessage())
        .isEqualTo("Some resources are remaining: pods. has 1 resource instances");
    world.release(key("pods.", "p"));
    assertThat(deletion.finish("shop")).isTrue();
    assertThat(world.namespaces()).isEmpty();
    assertThat(world.violations()).isEmpty();
  }

  @Test
  void aFinalizerHoldsTheNamespaceAndTheTimeOfItsConditionStays() {
    world.create("shop", List.of("kubernetes"));
    world.create(key("widgets.example.com", "w"), List.of(HOLDER));
    world.delete("shop");
    assertThat(deletion.finish("shop")).isFalse();
    now = now.plus(Duration.ofMinutes(1));
    assertThat(deletion.finish("shop")).isFalse();
    var held = condition("NamespaceFinalizersRemaining");
    assertThat(held.getMessage())
        .isEqualTo(
            "Some content in the namespace has finalizers remaining: example.com/holder in 1"
                + " resource instances");
    assertThat(held.getLastTransitionTime()).isEqualTo("2026-01-01T00:00:00Z");
    world.release(key("widgets.example.com", "w"));
    assertThat(deletion.finish("shop")).isTrue();
    assertThat(world.namespaces()).isEmpty();
  }

  @Test
  void whatCannotBeDiscoveredMayHideContent() {
    world.create("shop", List.of("kubernetes"));
    world.create(key("widgets.example.com", "w"), List.of());
    world.delete("shop");
    world.widgetsAnswer(false);
    assertThat(deletion.finish("shop")).isFalse();
    assertThat(condition("NamespaceDeletionDiscoveryFailure").getStatus()).isEqualTo("True");
    world.widgetsAnswer(true);
    assertThat(deletion.finish("shop")).isTrue();
    assertThat(world.namespaces()).isEmpty();
    assertThat(world.violations()).isEmpty();
  }

  @Test
  void theFinalizersOfOthersStay() {
    world.create("shop", List.of(HOLDER, "kubernetes"));
    world.delete("shop");
    assertThat(deletion.finish("shop")).isTrue();
    assertThat(world.namespaces().getFirst().getSpec().getFinalizers()).containsExactly(HOLDER);
  }
}
