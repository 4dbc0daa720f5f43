package dev.muster.registry.commit;

import dev.muster.model.status.ApiException;
import dev.muster.replica.snapshot.Snapshot;
import java.util.function.Consumer;

/**
 * One look at what is wanted and at the cluster, repeated on newer snapshots until it counts. Keeps
 * nothing from one time to the next.
 *
 * @param <T> what the request is answered with
 */
@FunctionalInterface
public interface WriteAttempt<T> {
  /**
   * @param warnings texts for the client, which count only if this attempt does
   * @throws ApiException when the write is refused
   */
  AttemptResult<T> on(Snapshot snapshot, Consumer<String> warnings);
}
