package dev.muster.controllers.election;

import dev.muster.controllers.EventRecorder;
import dev.muster.model.json.JsonObject;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes Events about a Lease with upstream's messages. One virtual thread writes them in order, so
 * that the elector never waits for them. Thread-safe.
 */
final class LeaseEvents implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(LeaseEvents.class);
  private static final long LAST_SECONDS = 2;

  private final EventRecorder recorder;
  private final String identity;
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(Thread.ofVirtual().name("lease-events").factory());

  LeaseEvents(EventRecorder recorder, String identity) {
    this.recorder = recorder;
    this.identity = identity;
  }

  void report(JsonObject lease, String what) {
    var metadata = lease.object("metadata");
    var about =
        new ObjectReferenceBuilder()
            .withApiVersion("coordination.k8s.io/v1")
            .withKind("Lease")
            .withNamespace(metadata.string("namespace"))
            .withName(metadata.string("name"))
            .withUid(metadata.string("uid"))
            .withResourceVersion(metadata.string("resourceVersion"))
            .build();
    try {
      thread.execute(() -> write(about, identity + " " + what));
    } catch (RejectedExecutionException e) {
      // The process ends.
    }
  }

  private void write(ObjectReference about, String message) {
    try {
      recorder.report(about, "LeaderElection", message);
    } catch (RuntimeException e) {
      log.debug("no event \"{}\"", message, e);
    }
  }

  /** Waits a moment for the Events that are still to be written. */
  @Override
  public void close() {
    thread.shutdown();
    try {
      if (!thread.awaitTermination(LAST_SECONDS, TimeUnit.SECONDS)) {
        thread.shutdownNow();
      }
    } catch (InterruptedException e) {
      thread.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
