package dev.muster.controllers.certificates;

import static dev.muster.controllers.Yaml.object;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class RequestCleanerTest {
  private static final Instant NOW = Instant.parse("2026-01-02T12:00:00Z");

  private static boolean isOver(String created, String status) {
    return RequestCleaner.isOver(
        object("{metadata: {creationTimestamp: '%s'}, status: {%s}}".formatted(created, status)),
        NOW);
  }

  private static String condition(String type, String time) {
    return "conditions: [{type: %s, status: 'True', lastUpdateTime: '%s'}]".formatted(type, time);
  }

  @Test
  void requestsGoSomeTimeAfterTheirAnswer() {
    var old = "2026-01-01T00:00:00Z";
    assertThat(isOver(old, "")).isTrue();
    assertThat(isOver("2026-01-02T00:00:00Z", "")).isFalse();
    assertThat(isOver(old, condition("Denied", "2026-01-02T10:00:00Z"))).isTrue();
    assertThat(isOver(old, condition("Failed", "2026-01-02T11:30:00Z"))).isFalse();
    assertThat(isOver(old, condition("Approved", "2026-01-02T10:00:00Z"))).isFalse();
    assertThat(isOver(old, condition("Approved", "2026-01-02T10:00:00Z") + ", certificate: eA=="))
        .isTrue();
    assertThat(isOver(old, condition("Approved", "2026-01-01T10:00:00Z"))).isTrue();
  }
}
