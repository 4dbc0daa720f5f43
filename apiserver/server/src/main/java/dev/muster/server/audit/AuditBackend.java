package dev.muster.server.audit;

import dev.muster.audit.AuditEvent;
import java.util.concurrent.CompletableFuture;

/** Writes audit events to a file or sends them to a webhook. Thread-safe. Never blocks. */
interface AuditBackend extends AutoCloseable {
  /** The result when the request need not wait. */
  CompletableFuture<Boolean> TAKEN = CompletableFuture.completedFuture(true);

  /**
   * Accepts an event. The request continues when the future completes. It completes with false when
   * the event is lost and the mode makes the request depend on it, otherwise with true.
   */
  CompletableFuture<Boolean> process(AuditEvent event);

  /** Writes the remaining events, for a few seconds at most. */
  @Override
  void close();
}
