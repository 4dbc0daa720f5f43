package dev.muster.fleet.endpoints;

import dev.muster.fleet.endpoints.form.PlannedWrite;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import java.util.List;
import java.util.Set;

/**
 * Executes planned writes, and distinguishes failures from writes in which another server was
 * faster.
 */
record PlanWriter(EndpointsCluster cluster, Journal journal) {
  private static final Set<Reason> OVERTAKEN =
      Set.of(Reason.CONFLICT, Reason.ALREADY_EXISTS, Reason.NOT_FOUND);

  static boolean isOvertaken(ApiException failure) {
    return OVERTAKEN.contains(failure.reason());
  }

  /** Ignores that another server was faster; the next check shows what is left to do. */
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
   * Executes the writes one after the other until another server was faster.
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

  /** Whether the object has changed since the write was planned. */
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
