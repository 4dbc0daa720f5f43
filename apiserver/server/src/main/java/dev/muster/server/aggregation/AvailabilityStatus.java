package dev.muster.server.aggregation;

import dev.muster.model.json.JsonObject;
import dev.muster.registry.write.ServerChange;
import dev.muster.replica.Replica;
import java.time.InstantSource;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Writes the condition Available of APIServices, where it says something else. For any thread. */
public final class AvailabilityStatus {
  /** Changes the status of an APIService in the server's own name. */
  public interface StatusWriter {
    /**
     * @param change asked again whenever somebody else was faster
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
   * @param looked what was looked at; null when it is answered by this server
   * @param mayRepeat whether other words for the same thing may be written now
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

  /** Null when it is something else by now, or says so already. */
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
