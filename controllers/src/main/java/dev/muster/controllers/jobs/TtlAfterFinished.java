package dev.muster.controllers.jobs;

import dev.muster.controllers.Controller;
import dev.muster.controllers.client.ApiRequests;
import dev.muster.controllers.loop.ControlLoop;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobCondition;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Works on virtual threads, one Job on one of them at a time. Deletes a finished Job, its pods
 * first, when the time of its {@code ttlSecondsAfterFinished} has passed.
 */
public final class TtlAfterFinished implements Controller {
  private static final int NOT_FOUND = 404;
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);
  private static final Set<String> FINISHED = Set.of("Complete", "Failed");

  private final int parallel;
  private final Clock clock;

  /**
   * @param parallel how many Jobs are worked on at a time
   */
  public TtlAfterFinished(int parallel) {
    this(parallel, Clock.systemUTC());
  }

  /** One that tells time by that clock. */
  public TtlAfterFinished(int parallel, Clock clock) {
    this.parallel = parallel;
    this.clock = clock;
  }

  /** A Job by its place. */
  private record Key(String namespace, String name) {}

  @Override
  public String name() {
    return "ttl-after-finished-controller";
  }

  @Override
  public AutoCloseable start(KubernetesClient client) {
    return ControlLoop.<Key>startTimed(name(), parallel, LONGEST_PAUSE, key -> look(client, key))
        .follow(client.batch().v1().jobs().inAnyNamespace(), this::key);
  }

  private Optional<Key> key(Job job) {
    return left(job, clock.instant())
        .map(time -> new Key(job.getMetadata().getNamespace(), job.getMetadata().getName()));
  }

  /** When to look at the Job again, if at all. */
  private Optional<Duration> look(KubernetesClient client, Key key) {
    var job = client.batch().v1().jobs().inNamespace(key.namespace()).withName(key.name()).get();
    if (job == null) {
      return Optional.empty();
    }
    var left = left(job, clock.instant());
    if (left.isPresent() && left.get().isZero()) {
      delete(client, job);
      return Optional.empty();
    }
    return left;
  }

  /** In the version that was looked at, as its time may have been prolonged since. */
  private static void delete(KubernetesClient client, Job job) {
    var metadata = job.getMetadata();
    var preconditions =
        Map.of("uid", metadata.getUid(), "resourceVersion", metadata.getResourceVersion());
    var options = Map.of("preconditions", preconditions, "propagationPolicy", "Foreground");
    var path =
        "/apis/batch/v1/namespaces/%s/jobs/%s"
            .formatted(metadata.getNamespace(), metadata.getName());
    var answer =
        new ApiRequests(client)
            .send("DELETE", path, ApiRequests.METADATA, "application/json", options);
    if (answer.code() != NOT_FOUND) {
      answer.orThrow();
    }
  }

  /** How long a Job is kept from now on; nothing for one that is kept until somebody deletes it. */
  static Optional<Duration> left(Job job, Instant now) {
    var ttl = job.getSpec() == null ? null : job.getSpec().getTtlSecondsAfterFinished();
    if (ttl == null || job.getMetadata().getDeletionTimestamp() != null) {
      return Optional.empty();
    }
    return finished(job)
        .map(time -> Duration.between(now, time.plusSeconds(ttl)))
        .map(left -> left.isNegative() ? Duration.ZERO : left);
  }

  private static Optional<Instant> finished(Job job) {
    if (job.getStatus() == null) {
      return Optional.empty();
    }
    return job.getStatus().getConditions().stream()
        .filter(condition -> FINISHED.contains(condition.getType()))
        .filter(condition -> "True".equals(condition.getStatus()))
        .findFirst()
        .map(JobCondition::getLastTransitionTime)
        .flatMap(TtlAfterFinished::instant);
  }

  private static Optional<Instant> instant(String text) {
    try {
      return Optional.of(Instant.parse(text));
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }
}
