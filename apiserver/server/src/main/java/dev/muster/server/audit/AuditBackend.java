package dev.muster.server.audit;

import dev.muster.audit.AuditEvent;
import java.util.concurrent.CompletableFuture;

/** Takes events to where they are kept. Safe for any thread; never blocks. */
interface AuditBackend extends AutoCloseable {
  /** The request need not wait. */
  CompletableFuture<Boolean> TAKEN = CompletableFuture.completedFuture(true);

  /**
   * Takes an event. The request goes on when the future is complete: with true, or with false when
   * the event is lost and the mode is one in which requests depend on it.
   */
  CompletableFuture<Boolean> process(AuditEvent event);

  /** Sends what is left, for some seconds at most. */
  @Override
  void close();
}
