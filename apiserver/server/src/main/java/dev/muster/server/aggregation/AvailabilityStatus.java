package dev.muster.server.aggregation;

import dev.muster.model.json.JsonObject;
import dev.muster.registry.write.ServerChange;
import dev.muster.replica.Replica;
import java.time.InstantSource;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Writes the {@code Available} condition of APIServices when it changes. Thread-safe. */
public final class AvailabilityStatus {
  /** Changes the status of an APIService as the server's own user. */
  public interface StatusWriter {
    /**
     * @param change called again after each conflict
     */
    void changeStatus(String apiService, ServerChange change);
  }

  private final StatusWriter writer;
  private final Replica replica;
  private final AggregationMetrics metrics;
  private final InstantSource clock;

  public AvailabilityStatus(
      StatusWriter writer, Replica replica, AggregationMetrics metrics, InstantSource clock) {
    this.writer = writer;
    this.replica = replica;
    this.metrics = metrics;
    this.clock = clock;
  }

  /**
   * @param looked the API that was checked; null when this server itself serves it
   * @param mayRepeat whether a change of the message alone may be written now
   */
  void write(
      String name,
      @Nullable AggregatedApi looked,
      AvailableCondition condition,
      BooleanSupplier mayRepeat) {
    var stored = replica.current().collection(AggregatedApis.STORAGE).get("", name);
    if (stored == null || condition.isIn(stored.tree())) {
      return;
    }
    if (condition.hasReasonIn(stored.tree()) && !mayRepeat.getAsBoolean()) {
      return;
    }
    writer.changeStatus(name, present -> changed(present, looked, condition));
    metrics.wrote(name, AvailableCondition.isTrue(stored.tree()), condition);
  }

  /** Null when the APIService has changed since the check, or has the condition already. */
  private @Nullable JsonObject changed(
      @Nullable JsonObject present, @Nullable AggregatedApi looked, AvailableCondition condition) {
    if (present == null || condition.isIn(present)) {
      return null;
    }
    return isSame(AggregatedApi.of(present, 0), looked)
        ? condition.in(present, clock.instant())
        : null;
  }

  private static boolean isSame(@Nullable AggregatedApi now, @Nullable AggregatedApi looked) {
    return now == null ? looked == null : looked != null && now.isReachedAs(looked);
  }
}
