package dev.muster.fleet.observation;

import dev.muster.replica.Replica;
import dev.muster.replica.snapshot.Snapshot;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * One thread at a time uses it. When this server's replica was last known to hold everything that
 * the store has. Asks the store about once a second; while it does not answer, that moment stays in
 * the past, even if nobody has noticed yet that the store is away.
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
   * The last such moment; a snapshot that is read after this call shows all that the store had
   * then. Never blocks.
   *
   * @param now by a clock that never goes back
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
