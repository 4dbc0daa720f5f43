package dev.muster.registry.webhook;

/** Tells when nobody waits for an answer any more. Safe for any thread. */
@FunctionalInterface
public interface Cancellation {
  /** For what nobody can call off. */
  Cancellation NEVER = action -> {};

  /** Runs that once when the one who asked has gone; at once when that was before. */
  void onCancel(Runnable action);
}
