package dev.muster.controllers.disruption;

import static dev.muster.controllers.Yaml.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.json.JsonObject;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class DisruptionBudgetTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private static JsonObject pod(String name, String ready) {
    return object(
        "{metadata: {name: %s}, status: {conditions: [{type: Ready, status: '%s'}]}}"
            .formatted(name, ready));
  }

  private static final List<JsonObject> THREE =
      List.of(pod("a", "True"), pod("b", "True"), pod("c", "False"));

  @Test
  void aNumberOfPodsMustStay() {
    var budget = DisruptionBudget.of(object("spec: {minAvailable: 1}"), THREE, 0, NOW);
    assertThat(budget.healthy()).isEqualTo(2);
    assertThat(budget.expected()).isEqualTo(3);
    assertThat(budget.allowed()).isEqualTo(1);
  }

  @Test
  void aShareIsOfWhatTheControllersWantAndRoundedUp() {
    var some = object("spec: {minAvailable: 50%}");
    assertThat(DisruptionBudget.needsScale(some)).isTrue();
    assertThat(DisruptionBudget.of(some, THREE, 3, NOW).desired()).isEqualTo(2);
    var most = object("spec: {maxUnavailable: 30%}");
    assertThat(DisruptionBudget.of(most, THREE, 4, NOW).desired()).isEqualTo(2);
    assertThat(DisruptionBudget.of(most, THREE, 4, NOW).allowed()).isZero();
  }

  @Test
  void nothingIsAllowedBeforeThereArePods() {
    assertThat(DisruptionBudget.of(object("spec: {minAvailable: 0}"), List.of(), 0, NOW).allowed())
        .isZero();
  }

  @Test
  void aPodWhoseEvictionWasGrantedCountsAsGoneForTwoMinutes() {
    var granted =
        object(
            "{spec: {minAvailable: 1}, status: {disruptedPods: {a: '2025-12-31T23:59:00Z',"
                + " b: '2025-12-31T23:00:00Z', gone: '2025-12-31T23:59:59Z'}}}");
    var budget = DisruptionBudget.of(granted, THREE, 0, NOW);
    assertThat(budget.healthy()).isEqualTo(1);
    assertThat(budget.disrupted()).isEqualTo(object("a: '2025-12-31T23:59:00Z'"));
    assertThat(budget.recheck()).contains(Instant.parse("2026-01-01T00:01:00Z"));
  }

  @Test
  void theStatusStaysWhileNothingChanges() {
    var object = object("{metadata: {generation: 3}, spec: {minAvailable: 1}}");
    var status = DisruptionBudget.of(object, THREE, 0, NOW).status(object, NOW);
    assertThat(status)
        .isEqualTo(
            object(
                """
                observedGeneration: 3
                disruptionsAllowed: 1
                currentHealthy: 2
                desiredHealthy: 1
                expectedPods: 3
                conditions:
                - {type: DisruptionAllowed, status: 'True', observedGeneration: 3,
                   reason: SufficientPods, message: '', lastTransitionTime: '2026-01-01T00:00:00Z'}
                """));
    var later = object.with("status", status);
    assertThat(
            DisruptionBudget.of(later, THREE, 0, NOW.plusSeconds(60))
                .status(later, NOW.plusSeconds(60)))
        .isEqualTo(status);
    assertThat(DisruptionBudget.failed(later, "why", NOW).integer("disruptionsAllowed", -1))
        .isZero();
  }

  @Test
  void whatIsNoShareIsRefused() {
    assertThatThrownBy(
            () -> DisruptionBudget.of(object("spec: {minAvailable: half}"), THREE, 3, NOW))
        .hasMessageContaining("invalid value for IntOrString");
  }
}
