package dev.muster.fleet.endpoints;

import dev.muster.fleet.endpoints.form.PlannedWrite;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import java.util.List;
import java.util.Set;

/** Carries out what was planned, and tells what failed from what somebody else has done first. */
record PlanWriter(EndpointsCluster cluster, Journal journal) {
  private static final Set<Reason> OVERTAKEN =
      Set.of(Reason.CONFLICT, Reason.ALREADY_EXISTS, Reason.NOT_FOUND);

  static boolean isOvertaken(ApiException failure) {
    return OVERTAKEN.contains(failure.reason());
  }

  /** Somebody else may be faster; what is left shows at the next look. */
  static void tried(Runnable change) {
    try {
      change.run();
    } catch (ApiException e) {
      if (!isOvertaken(e)) {
        throw e;
      }
    }
  }

  /**
   * Writes one after the other until somebody else was faster.
   *
   * @return whether there was nothing to do
   */
  boolean execute(List<PlannedWrite> writes) {
    for (var write : writes) {
      try {
        cluster.write(write);
        journal.wrote(write);
      } catch (ApiException e) {
        if (isOvertaken(e) || isOutdated(write, cluster.view().objects())) {
          return false;
        }
        journal.failed(write, e);
      }
    }
    return writes.isEmpty();
  }

  /** Whether the object is not any more what a write was planned for. */
  private static boolean isOutdated(PlannedWrite write, PublicationPlan.Objects now) {
    var present =
        switch (write.kind()) {
          case SERVICE -> now.service();
          case ENDPOINTS -> now.endpoints();
          case SLICE -> now.slices().get(write.name());
        };
    if (present == null || write instanceof PlannedWrite.Create) {
      return (present == null) != (write instanceof PlannedWrite.Create);
    }
    var version = "resourceVersion";
    return !present
        .object("metadata")
        .string(version)
        .equals(write.object().object("metadata").string(version));
  }
}
