package dev.muster.controllers.namespaces;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.NamespaceCondition;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class NamespaceConditionsTest {
  private static final Instant EARLIER = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant LATER = Instant.parse("2026-01-01T00:01:00.5Z");

  @Test
  void whatRemainsIsCountedByResourceAndFinalizer() {
    var conditions =
        NamespaceConditions.after(
            content(
                Map.of("pods.", 2, "deployments.apps", 1),
                Map.of("example.com/b", 1, "example.com/a", 3)),
            List.of(),
            EARLIER);
    assertThat(conditions)
        .extracting(NamespaceCondition::getType)
        .containsExactly(
            "NamespaceDeletionDiscoveryFailure",
            "NamespaceDeletionGroupVersionParsingFailure",
            "NamespaceDeletionContentFailure",
            "NamespaceContentRemaining",
            "NamespaceFinalizersRemaining");
    assertThat(conditions.get(3).getMessage())
        .isEqualTo(
            "Some resources are remaining: deployments.apps has 1 resource instances, pods. has 2"
                + " resource instances");
    assertThat(conditions.get(3).getStatus()).isEqualTo("True");
    assertThat(conditions.get(4).getMessage())
        .isEqualTo(
            "Some content in the namespace has finalizers remaining: example.com/a in 3 resource"
                + " instances, example.com/b in 1 resource instances");
    assertThat(conditions.get(0).getStatus()).isEqualTo("False");
  }

  @Test
  void onlyAChangeOfStatusMovesTheTime() {
    var before =
        NamespaceConditions.after(content(Map.of("pods.", 2), Map.of()), List.of(), EARLIER);
    var fewer = NamespaceConditions.after(content(Map.of("pods.", 1), Map.of()), before, LATER);
    assertThat(NamespaceConditions.sameContent(before, fewer)).isFalse();
    assertThat(fewer)
        .extracting(NamespaceCondition::getLastTransitionTime)
        .containsOnly("2026-01-01T00:00:00Z");
    var none = NamespaceConditions.after(content(Map.of(), Map.of()), fewer, LATER);
    assertThat(none.get(3).getStatus()).isEqualTo("False");
    assertThat(none.get(3).getLastTransitionTime()).isEqualTo("2026-01-01T00:01:00Z");
    assertThat(none.get(4).getLastTransitionTime()).isEqualTo("2026-01-01T00:00:00Z");
  }

  @Test
  void failuresAreNamed() {
    var failed =
        new NamespaceContent(
            new TreeMap<>(),
            new TreeMap<>(),
            List.of("x.example/v1: gone"),
            List.of("b failed", "a failed"),
            true);
    assertThat(failed.isGone()).isFalse();
    var conditions = NamespaceConditions.after(failed, List.of(), EARLIER);
    assertThat(conditions.get(0).getMessage())
        .isEqualTo("Discovery failed for some groups, 1 failing: x.example/v1: gone");
    assertThat(conditions.get(2).getMessage())
        .isEqualTo("Failed to delete all resource types, 2 remaining: a failed, b failed");
  }

  private static NamespaceContent content(
      Map<String, Integer> remaining, Map<String, Integer> finalizers) {
    return new NamespaceContent(
        new TreeMap<>(remaining), new TreeMap<>(finalizers), List.of(), List.of(), true);
  }
}
