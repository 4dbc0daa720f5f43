package dev.muster.controllers.jobs;

import dev.muster.controllers.Finalizers;
import dev.muster.controllers.ObjectKey;
import dev.muster.controllers.client.ApiResource;
import dev.muster.controllers.loop.CachedLoop;
import dev.muster.controllers.loop.LoopController;
import dev.muster.controllers.loop.Loops;
import dev.muster.controllers.loop.ObjectCache;
import dev.muster.model.Timestamps;
import dev.muster.model.json.JsonNumber;
import dev.muster.model.json.JsonObject;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * Deletes a finished Job, its pods first, after {@code ttlSecondsAfterFinished}. Works on virtual
 * threads, one Job on one of them at a time.
 */
public final class TtlAfterFinishedController implements LoopController {
  private static final String TTL = "ttlSecondsAfterFinished";
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);
  private static final Set<String> FINISHED = Set.of("Complete", "Failed");

  private final int parallel;
  private final Clock clock;

  /**
   * @param parallel the number of Jobs processed concurrently
   */
  public TtlAfterFinishedController(int parallel, Clock clock) {
    this.parallel = parallel;
    this.clock = clock;
  }

  @Override
  public String name() {
    return "ttl-after-finished-controller";
  }

  @Override
  public AutoCloseable start(Loops loops) {
    var jobs = new ApiResource(loops.requests(), "/apis/batch/v1", "jobs");
    var loop = new CachedLoop<ObjectKey>(name(), loops);
    loop.cache(
        jobs.path(""),
        TtlAfterFinishedController::keep,
        (old, now) -> {
          if (now != null && left(now, clock.instant()).isPresent()) {
            loop.add(ObjectKey.of(now));
          }
        });
    return loop.start(
        parallel,
        LONGEST_PAUSE,
        key -> {
          check(jobs, key).ifPresent(time -> loop.addAfter(key, time));
          return true;
        });
  }

  private static JsonObject keep(JsonObject job) {
    return JsonObject.of(
        "metadata",
        ObjectCache.identity(job).toBuilder()
            .putIf("deletionTimestamp", job.object("metadata").string("deletionTimestamp"))
            .build(),
        "spec",
        JsonObject.builder().putIf(TTL, job.object("spec").get(TTL)).build(),
        "status",
        JsonObject.of("conditions", job.object("status").array("conditions")));
  }

  /** When to check the Job again, if at all. */
  private Optional<Duration> check(ApiResource jobs, ObjectKey key) {
    var job = jobs.get(key.namespace(), key.name()).orElse(JsonObject.EMPTY);
    var left = left(job, clock.instant());
    if (left.isPresent() && left.get().isZero()) {
      delete(jobs, job);
      return Optional.empty();
    }
    return left;
  }

  /** Deletes only the checked version, because the TTL may have been extended since. */
  private static void delete(ApiResource jobs, JsonObject job) {
    var metadata = job.object("metadata");
    jobs.delete(
        job,
        JsonObject.of(
            "preconditions",
            JsonObject.of(
                "uid", metadata.string("uid"),
                "resourceVersion", metadata.string("resourceVersion")),
            "propagationPolicy",
            "Foreground"));
  }

  /** The remaining time of a Job; empty for one without a TTL. */
  static Optional<Duration> left(JsonObject job, Instant now) {
    var spec = job.object("spec");
    if (!(spec.get(TTL) instanceof JsonNumber) || Finalizers.isDeleting(job)) {
      return Optional.empty();
    }
    return finished(job)
        .map(time -> Duration.between(now, time.plusSeconds(spec.integer(TTL, 0))))
        .map(left -> left.isNegative() ? Duration.ZERO : left);
  }

  private static Optional<Instant> finished(JsonObject job) {
    return job.object("status").array("conditions").objects().stream()
        .filter(condition -> FINISHED.contains(condition.string("type")))
        .filter(condition -> condition.string("status").equals("True"))
        .findFirst()
        .map(condition -> Timestamps.read(condition.get("lastTransitionTime")));
  }
}
