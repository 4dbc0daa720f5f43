package dev.muster.registry.commit;

import dev.muster.model.status.ApiException;
import dev.muster.replica.snapshot.Snapshot;
import java.util.function.Consumer;

/**
 * Decides one write on one snapshot. The writer calls it again on newer snapshots until a result
 * counts; it keeps no state between calls.
 *
 * @param <T> the type of the answer
 */
@FunctionalInterface
public interface WriteAttempt<T> {
  /**
   * @param warnings receives warnings for the client, which are dropped unless this attempt decides
   * @throws ApiException when the write is refused
   */
  AttemptResult<T> on(Snapshot snapshot, Consumer<String> warnings);
}
