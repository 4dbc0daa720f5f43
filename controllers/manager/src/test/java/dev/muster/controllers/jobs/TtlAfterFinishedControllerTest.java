package dev.muster.controllers.jobs;

import static dev.muster.controllers.Yaml.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class TtlAfterFinishedControllerTest {
  private static final Instant FINISHED = Instant.parse("2026-01-01T00:00:00Z");

  @Test
  void theTimeRunsFromTheEndOfTheJob() {
    var job = job("Complete", "True", "60");
    assertThat(TtlAfterFinishedController.left(job, FINISHED.plusSeconds(20)))
        .contains(Duration.ofSeconds(40));
    assertThat(TtlAfterFinishedController.left(job, FINISHED.plusSeconds(60)))
        .contains(Duration.ZERO);
    assertThat(TtlAfterFinishedController.left(job, FINISHED.plusSeconds(600)))
        .contains(Duration.ZERO);
  }

  @Test
  void aFailedJobHasFinishedToo() {
    assertThat(TtlAfterFinishedController.left(job("Failed", "True", "0"), FINISHED))
        .contains(Duration.ZERO);
  }

  @Test
  void whatRunsOrHasNoTimeOrIsBeingDeletedIsLeftAlone() {
    assertThat(TtlAfterFinishedController.left(job("Complete", "False", "0"), FINISHED)).isEmpty();
    assertThat(TtlAfterFinishedController.left(job("Suspended", "True", "0"), FINISHED)).isEmpty();
    assertThat(TtlAfterFinishedController.left(job("Complete", "True", "null"), FINISHED))
        .isEmpty();
    var deleting =
        job("Complete", "True", "0")
            .withAt(Json.of("2026-01-01T00:00:00Z"), "metadata", "deletionTimestamp");
    assertThat(TtlAfterFinishedController.left(deleting, FINISHED)).isEmpty();
  }

  private static JsonObject job(String condition, String status, String ttl) {
    return object(
        """
        metadata: {name: job, namespace: ns}
        spec: {ttlSecondsAfterFinished: %s}
        status: {conditions: [{type: %s, status: '%s', lastTransitionTime: '%s'}]}
        """
            .formatted(ttl, condition, status, FINISHED));
  }
}
