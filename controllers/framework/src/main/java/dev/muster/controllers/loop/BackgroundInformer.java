package dev.muster.controllers.loop;

import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closed by any thread. An informer that is started in the background and goes on through every
 * failure of its API server, from the first list on, until it is closed.
 */
final class BackgroundInformer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(BackgroundInformer.class);

  private final SharedIndexInformer<?> informer;
  private volatile boolean closed;

  private BackgroundInformer(SharedIndexInformer<?> informer) {
    this.informer = informer;
  }

  /** Takes an informer that has its handlers and was not started. */
  static BackgroundInformer start(SharedIndexInformer<?> informer) {
    var following = new BackgroundInformer(informer);
    informer.exceptionHandler((started, failure) -> following.goesOnAfter(failure));
    informer.start();
    return following;
  }

  private boolean goesOnAfter(Throwable failure) {
    if (!closed) {
      log.warn("{} cannot be followed now: {}", informer.getApiTypeClass(), failure.toString());
    }
    return !closed;
  }

  @Override
  public void close() {
    closed = true;
    informer.stop();
  }
}
