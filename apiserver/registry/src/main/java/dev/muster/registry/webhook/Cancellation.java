package dev.muster.registry.webhook;

/** Tells when the client of a request has gone. Thread-safe. */
@FunctionalInterface
public interface Cancellation {
  /** For requests that cannot be cancelled. */
  Cancellation NEVER = action -> {};

  /** Runs the action once, when the client goes; at once if it has already gone. */
  void onCancel(Runnable action);
}
