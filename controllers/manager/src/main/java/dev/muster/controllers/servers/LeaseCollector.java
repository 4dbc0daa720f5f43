package dev.muster.controllers.servers;

import dev.muster.controllers.EventRecorder;
import dev.muster.controllers.client.ApiResource;
import dev.muster.controllers.client.JsonTrees;
import dev.muster.controllers.loop.LoopController;
import dev.muster.controllers.loop.Loops;
import dev.muster.controllers.loop.Reflector;
import dev.muster.model.identity.IdentityLease;
import dev.muster.model.json.JsonObject;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Deletes the expired identity Leases of API servers, which have the identity label, in one
 * namespace. {@code ExpiredLeasePolicy} decides which have expired. Works on one virtual thread.
 */
public final class LeaseCollector implements LoopController {
  private final String namespace;
  private final Duration resync;
  private final Clock clock;

  /**
   * @param resync how often unchanged Leases are checked
   */
  public LeaseCollector(String namespace, Duration resync) {
    this(namespace, resync, Clock.systemUTC());
  }

  /** For tests, with another clock. */
  public LeaseCollector(String namespace, Duration resync, Clock clock) {
    this.namespace = namespace;
    this.resync = resync;
    this.clock = clock;
  }

  /** The namespace of the identity Leases. */
  public String namespace() {
    return namespace;
  }

  @Override
  public String name() {
    return "apiserver-lease-collector";
  }

  @Override
  public AutoCloseable start(Loops loops) {
    return new Running(loops);
  }

  /** A running loop. Its queue holds the actions themselves, and each logs its own failure. */
  private final class Running implements AutoCloseable, Reflector.Handler<IdentityLease> {
    private final Map<String, IdentityLease> known = new ConcurrentHashMap<>();
    private final Loops.Queue<Runnable> tasks;
    private final ExpiredLeasePolicy collection;
    private final Loops.Followed followed;

    Running(Loops loops) {
      var leases = new ApiResource(loops.requests(), "/apis/coordination.k8s.io/v1", "leases");
      var events = new EventRecorder(loops.requests(), name(), clock);
      tasks =
          loops.queue(
              name(),
              1,
              resync,
              task -> {
                task.run();
                return true;
              });
      collection =
          new ExpiredLeasePolicy(
              new ThroughApi(leases, events),
              (time, task) -> tasks.addAfter(task, time),
              loops::nanoTime);
      var label = IdentityLease.LABEL.replace("/", "%2F") + "%3D" + IdentityLease.LABEL_VALUE;
      followed =
          loops.follow(
              leases.path(namespace) + "?labelSelector=" + label,
              map -> IdentityLease.read(JsonTrees.object(map)),
              this);
      tasks.addAfter(this::lookAtAll, resync);
    }

    @Override
    public void seen(IdentityLease lease) {
      known.put(lease.name(), lease);
      tasks.add(() -> collection.check(lease));
    }

    @Override
    public void gone(IdentityLease lease) {
      known.remove(lease.name());
      tasks.add(() -> collection.forget(lease.name()));
    }

    private void lookAtAll() {
      known.values().forEach(collection::check);
      tasks.addAfter(this::lookAtAll, resync);
    }

    @Override
    public void close() {
      followed.close();
      tasks.close();
    }
  }

  /** Reads and deletes Leases by requests, and reports deletions by Events. */
  private final class ThroughApi implements ExpiredLeasePolicy.Leases {
    private final ApiResource leases;
    private final EventRecorder events;

    ThroughApi(ApiResource leases, EventRecorder events) {
      this.leases = leases;
      this.events = events;
    }

    @Override
    public @Nullable IdentityLease get(String name) {
      return leases.get(namespace, name).map(IdentityLease::read).orElse(null);
    }

    @Override
    public boolean delete(IdentityLease lease) {
      try {
        leases.delete(
            JsonObject.of(
                "metadata",
                JsonObject.of(
                    "namespace", namespace,
                    "name", lease.name(),
                    "uid", lease.uid(),
                    "resourceVersion", lease.version())));
      } catch (KubernetesClientException e) {
        if (ApiResource.isConflict(e)) {
          return false;
        }
        throw e;
      }
      report(lease);
      return true;
    }

    private void report(IdentityLease lease) {
      var renewed = lease.renewed() == null ? "never" : "at " + whole(lease.renewed());
      var about =
          new ObjectReferenceBuilder()
              .withApiVersion("coordination.k8s.io/v1")
              .withKind("Lease")
              .withNamespace(namespace)
              .withName(lease.name())
              .withUid(lease.uid())
              .build();
      events.report(
          about,
          "APIServerLeaseCollected",
          "collected: its API server is gone, and renewed it last " + renewed);
    }

    private static String whole(Instant time) {
      return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }
  }
}
