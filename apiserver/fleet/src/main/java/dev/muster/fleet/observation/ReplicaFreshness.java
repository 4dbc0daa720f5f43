package dev.muster.fleet.observation;

import dev.muster.replica.Replica;
import dev.muster.replica.snapshot.Snapshot;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Determines when this server's replica was last known to be up to date with the store. One thread
 * at a time uses it. It asks the store about once a second. While the store does not answer, that
 * moment does not advance, even before the outage is noticed.
 */
public final class ReplicaFreshness {
  private static final Duration BETWEEN_QUESTIONS = Duration.ofMillis(750);

  private final Replica replica;
  private @Nullable CompletableFuture<Snapshot> question;
  private Duration asked = Duration.ZERO;
  private Duration known = Duration.ZERO;

  public ReplicaFreshness(Replica replica) {
    this.replica = replica;
  }

  /**
   * The last such moment. A snapshot that is read after this call includes everything that the
   * store contained then. Never blocks.
   *
   * @param now by a monotonic clock
   */
  public Duration lastKnown(Duration now) {
    hear();
    if (question == null && now.minus(asked).compareTo(BETWEEN_QUESTIONS) >= 0) {
      asked = now;
      question = replica.fresh();
      hear();
    }
    return known;
  }

  private void hear() {
    var open = question;
    if (open != null && open.isDone()) {
      question = null;
      if (open.state() == Future.State.SUCCESS) {
        known = asked;
      }
    }
  }
}
