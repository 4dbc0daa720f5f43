package dev.muster.validation.batch;

import dev.muster.validation.FieldCursor;
import dev.muster.validation.pods.PodWarnings;

/** Warns about valid but suspicious settings of Jobs and CronJobs. */
final class JobWarnings {
  private static final int MANY_COMPLETIONS = 100_000;
  private static final int MUCH_AT_ONCE = 10_000;

  private JobWarnings() {}

  static void job(FieldCursor job) {
    PodWarnings.podName(job);
    if (!job.isUpdate() || job.at("metadata", "generation").isChanged()) {
      spec(job.at("spec"));
    }
  }

  static void cronJob(FieldCursor cronJob) {
    PodWarnings.podName(cronJob);
    if (!cronJob.isUpdate() || cronJob.at("metadata", "generation").isChanged()) {
      spec(cronJob.at("spec", "jobTemplate", "spec"));
    }
    if (cronJob.isUpdate() && cronJob.at("spec", "schedule").text().contains("TZ")) {
      cronJob.warn(
          "cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see"
              + " https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more"
              + " details");
    }
  }

  private static void spec(FieldCursor spec) {
    if (spec.at("completionMode").isText("Indexed")
        && spec.at("completions").integer() > MANY_COMPLETIONS
        && spec.at("parallelism").integer() > MUCH_AT_ONCE) {
      spec.warn(
          spec.path()
              + ": In Indexed Jobs with a number of completions higher than 10^5 and a parallelism"
              + " higher than 10^4, Kubernetes might not be able to track completedIndexes when a"
              + " big number of indexes fail");
    }
    PodWarnings.unchecked(spec, "template");
  }
}
