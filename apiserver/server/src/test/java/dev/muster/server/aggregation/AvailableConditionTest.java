package dev.muster.server.aggregation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class AvailableConditionTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00.5Z");
  private static final Instant LATER = Instant.parse("2026-01-01T13:00:00Z");

  private static String since(JsonObject apiService) {
    return AvailableCondition.current(apiService).string("lastTransitionTime");
  }

  @Test
  void itsTimeIsThatOfTheLastChangeOfItsStatus() {
    var missing = AvailableCondition.failed("ServiceNotFound", "a");
    var first = missing.in(JsonObject.EMPTY, NOON);
    assertThat(since(first)).isEqualTo("2026-01-01T12:00:00Z");
    var second = AvailableCondition.failed("EndpointsNotFound", "b").in(first, LATER);
    assertThat(since(second)).isEqualTo("2026-01-01T12:00:00Z");
    assertThat(since(AvailableCondition.PASSED.in(second, LATER)))
        .isEqualTo("2026-01-01T13:00:00Z");
  }

  @Test
  void otherConditionsStay() {
    var other = JsonObject.of("type", "Other", "status", "True");
    var service = JsonObject.of("status", JsonObject.of("conditions", JsonArray.of(other)));
    var conditions =
        AvailableCondition.PASSED.in(service, NOON).object("status").array("conditions");
    assertThat(conditions.objects()).hasSize(2).contains(other);
    assertThat(AvailableCondition.isTrue(AvailableCondition.PASSED.in(service, NOON))).isTrue();
    assertThat(AvailableCondition.isTrue(service)).isFalse();
  }

  @Test
  void theSameReasonInOtherWordsIsNotTheSame() {
    var service = AvailableCondition.failed("FailedDiscoveryCheck", "a").in(JsonObject.EMPTY, NOON);
    var again = AvailableCondition.failed("FailedDiscoveryCheck", "b");
    assertThat(again.hasReasonIn(service)).isTrue();
    assertThat(again.isIn(service)).isFalse();
  }
}
