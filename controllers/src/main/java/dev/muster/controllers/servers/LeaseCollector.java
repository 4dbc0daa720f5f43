package dev.muster.controllers.servers;

import dev.muster.controllers.Controller;
import dev.muster.controllers.EventRecorder;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One daemon thread does the work. Deletes the identity Leases of API servers that are gone: those
 * with the identity label in one namespace, and only what is expired at the moment of deletion.
 */
public final class LeaseCollector implements Controller {
  private static final Logger log = LoggerFactory.getLogger(LeaseCollector.class);
  private static final int CONFLICT = 409;
  private static final int NOT_FOUND = 404;

  private final String namespace;
  private final Duration resync;
  private final Clock clock;

  /**
   * @param resync how often Leases are looked at that did not change
   */
  public LeaseCollector(String namespace, Duration resync) {
    this(namespace, resync, Clock.systemUTC());
  }

  /** A collector by another clock, for tests. */
  public LeaseCollector(String namespace, Duration resync, Clock clock) {
    this.namespace = namespace;
    this.resync = resync;
    this.clock = clock;
  }

  /** Where servers have their identity Leases. */
  public String namespace() {
    return namespace;
  }

  @Override
  public String name() {
    return "apiserver-lease-collector";
  }

  @Override
  public AutoCloseable start(KubernetesClient client) {
    var timer =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name(name()).factory());
    var collection =
        new LeaseCollection(
            new ThroughApi(client),
            (time, task) -> schedule(timer, time, task),
            clock,
            System::nanoTime);
    var informer =
        client
            .leases()
            .inNamespace(namespace)
            .withLabel(ServerLease.LABEL, ServerLease.LABEL_VALUE)
            .runnableInformer(resync.toMillis())
            .addEventHandler(handler(timer, collection));
    informer.exceptionHandler(
        (started, failure) -> {
          if (timer.isShutdown()) {
            return false;
          }
          log.warn("identity leases cannot be followed now: {}", failure.toString());
          return true;
        });
    informer.start();
    return () -> {
      timer.shutdownNow();
      informer.stop();
    };
  }

  private static void schedule(ScheduledExecutorService timer, Duration time, Runnable task) {
    try {
      timer.schedule(task, time.toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      log.debug("stopped");
    }
  }

  private static ResourceEventHandler<Lease> handler(
      ScheduledExecutorService timer, LeaseCollection collection) {
    return new ResourceEventHandler<>() {
      @Override
      public void onAdd(Lease lease) {
        schedule(timer, Duration.ZERO, () -> collection.look(ServerLease.read(lease)));
      }

      @Override
      public void onUpdate(Lease old, Lease lease) {
        onAdd(lease);
      }

      @Override
      public void onDelete(Lease lease, boolean unknown) {
        schedule(timer, Duration.ZERO, () -> collection.forget(ServerLease.read(lease).name()));
      }
    };
  }

  /** Reads and deletes with the client, and tells of deletions with Events. */
  private final class ThroughApi implements LeaseCollection.Leases {
    private final KubernetesClient client;
    private final EventRecorder events;

    ThroughApi(KubernetesClient client) {
      this.client = client;
      this.events = new EventRecorder(client, name(), clock);
    }

    @Override
    public @Nullable ServerLease get(String name) {
      var lease = client.leases().inNamespace(namespace).withName(name).get();
      return lease == null ? null : ServerLease.read(lease);
    }

    @Override
    public boolean delete(ServerLease lease) {
      try {
        client
            .leases()
            .inNamespace(namespace)
            .withName(lease.name())
            .lockResourceVersion(lease.version())
            .delete();
      } catch (KubernetesClientException e) {
        if (e.getCode() == CONFLICT || e.getCode() == NOT_FOUND) {
          return false;
        }
        throw e;
      }
      tell(lease);
      return true;
    }

    private void tell(ServerLease lease) {
      var renewed = lease.renewed() == null ? "never" : "at " + whole(lease.renewed());
      var about =
          new ObjectReferenceBuilder()
              .withApiVersion("coordination.k8s.io/v1")
              .withKind("Lease")
              .withNamespace(namespace)
              .withName(lease.name())
              .withUid(lease.uid())
              .build();
      events.tell(
          about,
          "APIServerLeaseCollected",
          "collected: its API server is gone, and renewed it last " + renewed);
    }

    private static String whole(Instant time) {
      return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }
  }
}
