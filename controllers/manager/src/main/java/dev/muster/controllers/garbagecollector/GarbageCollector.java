package dev.muster.controllers.garbagecollector;

import dev.muster.controllers.Controller;
import dev.muster.controllers.EventRecorder;
import dev.muster.controllers.client.ApiRequests;
import dev.muster.controllers.client.Discovery;
import dev.muster.controllers.loop.WorkQueue;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes objects whose owners are all gone, holds an owner in foreground deletion until its
 * blocking dependents are gone, and orphans dependents on request. Works on virtual threads, one
 * object on one of them at a time.
 *
 * <p>Reflectors feed the metadata of all objects to {@code Graph}, which names candidates. {@link
 * GarbageCollection} reads each candidate from the API server and acts.
 */
public final class GarbageCollector implements Controller {
  private static final Logger log = LoggerFactory.getLogger(GarbageCollector.class);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);
  private static final Duration DISCOVERY_PERIOD = Duration.ofSeconds(30);
  private static final Duration FIRST_SYNC = Duration.ofSeconds(30);

  /**
   * Wait before discovery: a new definition is served a moment after its event, and many may come
   * together.
   */
  private static final Duration SETTLING = Duration.ofMillis(500);

  private final int parallel;
  private final Clock clock;

  /**
   * @param parallel the number of objects processed concurrently
   */
  public GarbageCollector(int parallel) {
    this(parallel, Clock.systemUTC());
  }

  /** For tests, with another clock. */
  public GarbageCollector(int parallel, Clock clock) {
    this.parallel = parallel;
    this.clock = clock;
  }

  @Override
  public String name() {
    return "garbage-collector-controller";
  }

  @Override
  public AutoCloseable start(KubernetesClient client) {
    return new Running(client);
  }

  private final class Running implements AutoCloseable {
    private final KubernetesClient client;
    private final EventRecorder events;
    private final CountDownLatch ready = new CountDownLatch(1);
    private final Monitors monitors;
    private final WorkQueue<String> deletions;
    private final WorkQueue<String> orphanings;
    private final WorkQueue<GraphEffect.ReportInvalidNamespace> reports;
    private final WorkQueue<String> discoveries;

    Running(KubernetesClient client) {
      this.client = client;
      events = new EventRecorder(client, name(), clock);
      var absent = new AbsentOwners();
      var graph = new Graph(absent);
      var requests = new ApiRequests(client);
      monitors = new Monitors(requests, graph, this::take, this::typesChanged);
      var objects = new HttpObjectClient(requests, monitors::type);
      var collection = new GarbageCollection(graph, absent, objects, this::take, parallel);
      deletions =
          new WorkQueue<>(
              "garbage_collector_attempt_to_delete",
              parallel,
              LONGEST_PAUSE,
              uid -> isReady() && collection.attemptToDelete(uid));
      orphanings =
          new WorkQueue<>(
              "garbage_collector_attempt_to_orphan",
              parallel,
              LONGEST_PAUSE,
              uid -> isReady() && collection.attemptToOrphan(uid));
      reports = new WorkQueue<>("garbage_collector_events", 1, LONGEST_PAUSE, this::report);
      discoveries =
          new WorkQueue<>("garbage_collector_discovery", 1, DISCOVERY_PERIOD, key -> discover());
      discoveries.add("discovery");
    }

    private void take(List<GraphEffect> effects) {
      for (var effect : effects) {
        switch (effect) {
          case GraphEffect.AttemptToDelete attempt -> deletions.add(attempt.uid());
          case GraphEffect.AttemptToOrphan attempt -> orphanings.add(attempt.uid());
          case GraphEffect.ReportInvalidNamespace report -> reports.add(report);
        }
      }
    }

    private boolean report(GraphEffect.ReportInvalidNamespace report) {
      var dependent = report.dependent();
      var about =
          new ObjectReferenceBuilder()
              .withApiVersion(dependent.apiVersion())
              .withKind(dependent.kind())
              .withNamespace(dependent.namespace())
              .withName(dependent.name())
              .withUid(dependent.uid())
              .build();
      var namespace = dependent.namespace();
      events.warn(
          about,
          "OwnerRefInvalidNamespace",
          "ownerRef %s does not exist in namespace \"%s\""
              .formatted(report.owner().in(namespace), namespace));
      return true;
    }

    private void typesChanged() {
      discoveries.addAfter("discovery", SETTLING);
    }

    /**
     * Repeats discovery periodically, because groups of aggregated servers appear without an event.
     */
    private boolean discover() {
      monitors.follow(Discovery.of(client));
      if (ready.getCount() > 0) {
        awaitFirstSync();
      }
      discoveries.addAfter("discovery", DISCOVERY_PERIOD);
      return true;
    }

    /** Waits for the complete graph; without it, owners would seem to have no dependents. */
    private void awaitFirstSync() {
      var end = clock.instant().plus(FIRST_SYNC);
      try {
        while (!monitors.synced() && clock.instant().isBefore(end)) {
          Thread.sleep(Duration.ofMillis(50));
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
      log.info(
          "Garbage collection begins{}",
          monitors.synced() ? "" : " although not all resources could be read");
      ready.countDown();
    }

    private boolean isReady() {
      try {
        ready.await();
        return true;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }

    @Override
    public void close() {
      discoveries.close();
      monitors.close();
      orphanings.close();
      deletions.close();
      reports.close();
    }
  }
}
