package dev.muster.controllers.storageversions;

import dev.muster.controllers.client.ApiRequests;
import dev.muster.controllers.loop.CachedLoop;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts a control loop when the API server begins to serve an optional API, and logs nothing until
 * then. One virtual thread waits.
 */
final class ServedApi implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ServedApi.class);
  private static final int FOUND = 200;

  private final ApiRequests requests;
  private final String path;
  private final Duration pause;
  private final Supplier<CachedLoop<String>> start;
  private final Thread thread;
  private @Nullable CachedLoop<String> loop;
  private boolean closed;

  private ServedApi(
      ApiRequests requests, String path, Duration pause, Supplier<CachedLoop<String>> start) {
    this.requests = requests;
    this.path = path;
    this.pause = pause;
    this.start = start;
    this.thread = Thread.ofVirtual().name("waits for " + path).unstarted(this::await);
  }

  /**
   * @param path of the collection
   * @param start called when the API is served
   */
  static ServedApi await(
      ApiRequests requests, String path, Duration pause, Supplier<CachedLoop<String>> start) {
    var waiting = new ServedApi(requests, path, pause, start);
    waiting.thread.start();
    return waiting;
  }

  private void await() {
    try {
      while (!isServed()) {
        Thread.sleep(pause);
      }
      begin();
    } catch (InterruptedException e) {
      log.debug("{} is not waited for any more", path);
    }
  }

  private boolean isServed() throws InterruptedException {
    try {
      return requests.send("GET", path + "?limit=1", "application/json").code() == FOUND;
    } catch (KubernetesClientException e) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      log.debug("no answer about {}", path, e);
      return false;
    }
  }

  private synchronized void begin() {
    if (!closed) {
      loop = start.get();
    }
  }

  @Override
  public void close() {
    CachedLoop<String> started;
    synchronized (this) {
      closed = true;
      started = loop;
    }
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (started != null) {
      started.close();
    }
  }
}
