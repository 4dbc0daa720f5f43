package dev.muster.controllers.loop;

import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An informer that starts in the background and retries every failure of the API server, including
 * the first list, until it is closed. Any thread may close it.
 */
final class BackgroundInformer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(BackgroundInformer.class);

  private final SharedIndexInformer<?> informer;
  private volatile boolean closed;

  private BackgroundInformer(SharedIndexInformer<?> informer) {
    this.informer = informer;
  }

  /** Starts an informer that already has its handlers. */
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
