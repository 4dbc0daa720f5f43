package dev.muster.controllers.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TtlAfterFinishedTest {
  private static final Instant FINISHED = Instant.parse("2026-01-01T00:00:00Z");

  @Test
  void theTimeRunsFromTheEndOfTheJob() {
    var job = job("Complete", "True", 60);
    assertThat(TtlAfterFinished.left(job, FINISHED.plusSeconds(20)))
        .contains(Duration.ofSeconds(40));
    assertThat(TtlAfterFinished.left(job, FINISHED.plusSeconds(60))).contains(Duration.ZERO);
    assertThat(TtlAfterFinished.left(job, FINISHED.plusSeconds(600))).contains(Duration.ZERO);
  }

  @Test
  void aFailedJobHasFinishedToo() {
    assertThat(TtlAfterFinished.left(job("Failed", "True", 0), FINISHED)).contains(Duration.ZERO);
  }

  @Test
  void whatRunsOrHasNoTimeOrIsBeingDeletedIsLeftAlone() {
    assertThat(TtlAfterFinished.left(job("Complete", "False", 0), FINISHED)).isEmpty();
    assertThat(TtlAfterFinished.left(job("Suspended", "True", 0), FINISHED)).isEmpty();
    assertThat(TtlAfterFinished.left(job("Complete", "True", null), FINISHED)).isEmpty();
    var deleting = job("Complete", "True", 0);
    deleting.getMetadata().setDeletionTimestamp("2026-01-01T00:00:00Z");
    assertThat(TtlAfterFinished.left(deleting, FINISHED)).isEmpty();
  }

  private static Job job(String condition, String status, @Nullable Integer ttl) {
    return new JobBuilder()
        .withNewMetadata()
        .withName("job")
        .endMetadata()
        .withNewSpec()
        .withTtlSecondsAfterFinished(ttl)
        .endSpec()
        .withNewStatus()
        .addNewCondition()
        .withType(condition)
        .withStatus(status)
        .withLastTransitionTime(FINISHED.toString())
        .endCondition()
        .endStatus()
        .build();
  }
}
