package dev.muster.server.start;

import dev.muster.model.GroupVersionResource;
import dev.muster.model.Timestamps;
import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.replica.Replica;
import dev.muster.replica.snapshot.Snapshot;
import dev.muster.types.ObjectMeta;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Maintains the {@code Dangling} condition of each FlowSchema, which says whether its priority
 * level exists, whenever one of the two has changed. Runs on a virtual thread of its own. Every
 * server of the fleet does so, and finds nothing to do if another was faster.
 */
public final class FlowStatuses implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(FlowStatuses.class);
  private static final GroupVersionResource SCHEMAS =
      new GroupVersionResource("flowcontrol.apiserver.k8s.io", "v1", "flowschemas");
  private static final String FLOW_SCHEMAS = "/flowschemas";
  private static final String LEVELS = "/prioritylevelconfigurations";

  private final RegistryObjects objects;
  private final Replica replica;
  private final InstantSource clock;
  private final BooleanSupplier stopped;

  public FlowStatuses(
      RegistryObjects objects, Replica replica, InstantSource clock, BooleanSupplier stopped) {
    this.stopped = stopped;
    this.objects = objects.as("api-priority-and-fairness-config-consumer-v1");
    this.replica = replica;
    this.clock = clock;
  }

  @Override
  public void run() {
    var published = new Semaphore(1);
    try (var _ = replica.onChange(Set.of(FLOW_SCHEMAS, LEVELS), published::release)) {
      long done = -1;
      while (!stopped.getAsBoolean()) {
        var _ = published.tryAcquire(1, TimeUnit.SECONDS);
        published.drainPermits();
        if (!replica.ready()) {
          continue;
        }
        var snapshot = replica.current();
        long changed =
            Math.max(
                snapshot.collection(FLOW_SCHEMAS).changed(), snapshot.collection(LEVELS).changed());
        if (changed > done) {
          done = check(snapshot) ? changed : -1;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns whether all statuses are up to date. */
  private boolean check(Snapshot snapshot) {
    boolean done = true;
    for (var stored : snapshot.collection(FLOW_SCHEMAS).all()) {
      var schema = stored.tree();
      var level = schema.object("spec", "priorityLevelConfiguration").string("name");
      boolean exists = snapshot.collection(LEVELS).get("", level) != null;
      var said = said(schema, level, exists, Timestamps.format(clock.instant()));
      if (said != null) {
        done &= attempt(said);
      }
    }
    return done;
  }

  /** A status that cannot be written does not stop the others. */
  private boolean attempt(JsonObject said) {
    try {
      objects.applyStatus(SCHEMAS, said);
      return true;
    } catch (RuntimeException e) {
      LOG.debug(
          "the status of the flow schema {} is left for later: {}",
          ObjectMeta.name(said),
          e.toString());
      return false;
    }
  }

  /** The status to apply, or null when the schema already has it. */
  public static @Nullable JsonObject said(
      JsonObject schema, String level, boolean exists, String now) {
    var status = exists ? "False" : "True";
    var message =
        "This FlowSchema references the PriorityLevelConfiguration object named "
            + GoText.quote(level)
            + (exists ? " and it exists" : " but there is no such object");
    var since = now;
    for (var condition : schema.object("status").array("conditions").objects()) {
      if (condition.string("type").equals("Dangling")
          && condition.string("status").equals(status)) {
        if (condition.string("message").equals(message)) {
          return null;
        }
        since = condition.string("lastTransitionTime");
      }
    }
    var condition =
        JsonObject.of(
            "type", "Dangling",
            "status", status,
            "lastTransitionTime", since,
            "reason", exists ? "Found" : "NotFound",
            "message", message);
    return JsonObject.of(
        "metadata",
        JsonObject.of("name", ObjectMeta.name(schema)),
        "status",
        JsonObject.of("conditions", JsonArray.of(condition)));
  }
}
