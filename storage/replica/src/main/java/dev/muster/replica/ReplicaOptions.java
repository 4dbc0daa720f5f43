package dev.muster.replica;

import java.time.Duration;
import java.time.InstantSource;

/**
 * The limits of a replica's history and the intervals of its checks.
 *
 * @param eventAge how long the replica keeps events and old snapshots
 * @param events the maximum number of events per collection
 * @param eventBytes the approximate maximum memory for the events of all collections
 * @param checkInterval the interval of the divergence check; zero disables it
 * @param stallTimeout how long a known revision may stay unapplied before the replica reconnects
 * @param loaders the number of threads that decode objects while an image is read
 */
public record ReplicaOptions(
    Duration eventAge,
    int events,
    long eventBytes,
    Duration checkInterval,
    Duration stallTimeout,
    int loaders,
    InstantSource clock) {

  public ReplicaOptions {
    if (eventAge.isNegative() || events < 1 || eventBytes < 0 || loaders < 1) {
      throw new IllegalArgumentException("a replica keeps at least one event");
    }
  }

  public static ReplicaOptions defaults() {
    return new ReplicaOptions(
        Duration.ofMinutes(5),
        100_000,
        Math.min(128L << 20, Runtime.getRuntime().maxMemory() / 8),
        Duration.ofMinutes(10),
        Duration.ofSeconds(10),
        Math.clamp(Runtime.getRuntime().availableProcessors(), 1, 8),
        InstantSource.system());
  }

  public ReplicaOptions withEvents(Duration age, int most, long bytes) {
    return new ReplicaOptions(age, most, bytes, checkInterval, stallTimeout, loaders, clock);
  }

  public ReplicaOptions withCheckInterval(Duration interval) {
    return new ReplicaOptions(eventAge, events, eventBytes, interval, stallTimeout, loaders, clock);
  }

  public ReplicaOptions withStallTimeout(Duration timeout) {
    return new ReplicaOptions(eventAge, events, eventBytes, checkInterval, timeout, loaders, clock);
  }

  public ReplicaOptions withClock(InstantSource other) {
    return new ReplicaOptions(
        eventAge, events, eventBytes, checkInterval, stallTimeout, loaders, other);
  }
}
