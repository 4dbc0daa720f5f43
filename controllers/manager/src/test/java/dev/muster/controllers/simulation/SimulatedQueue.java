package dev.muster.controllers.simulation;

import dev.muster.controllers.loop.Loops;
import dev.muster.controllers.loop.WorkQueue;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/** One thread at a time. Promises what {@link WorkQueue} does; turns come when they are given. */
final class SimulatedQueue<K> implements Loops.Queue<K> {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);

  private final int parallel;
  private final Duration longestPause;
  private final WorkQueue.Work<K> work;
  private final InstantSource clock;

  /** With the time of their turn. */
  private final Map<K, Instant> waiting = new LinkedHashMap<>();

  private final Set<K> running = new HashSet<>();
  private final Map<K, Integer> tries = new HashMap<>();

  SimulatedQueue(int parallel, Duration longestPause, WorkQueue.Work<K> work, InstantSource clock) {
    this.parallel = parallel;
    this.longestPause = longestPause;
    this.work = work;
    this.clock = clock;
  }

  @Override
  public void add(K key) {
    waiting.put(key, Instant.MIN);
  }

  @Override
  public void addAfter(K key, Duration time) {
    waiting.merge(
        key, clock.instant().plus(time), (one, other) -> one.isBefore(other) ? one : other);
  }

  @Override
  public void close() {
    waiting.clear();
  }

  private boolean isDue(K key, Instant now) {
    var time = waiting.get(key);
    return time != null && !time.isAfter(now) && !running.contains(key);
  }

  boolean isReady(Instant now) {
    return running.size() < parallel && waiting.keySet().stream().anyMatch(key -> isDue(key, now));
  }

  /** The next time at which something is to be done. */
  Optional<Instant> next() {
    return waiting.values().stream().sorted().findFirst();
  }

  void work(Random random, Instant now) {
    var due = waiting.keySet().stream().filter(key -> isDue(key, now)).toList();
    var key = due.get(random.nextInt(due.size()));
    waiting.remove(key);
    running.add(key);
    boolean finished;
    try {
      finished = work.finish(key);
    } catch (KubernetesClientException | IllegalStateException e) {
      finished = false;
    }
    running.remove(key);
    if (finished) {
      tries.remove(key);
    } else {
      long pause = FIRST_PAUSE.toMillis() << Math.min(tries.merge(key, 1, Integer::sum), 20);
      addAfter(key, Duration.ofMillis(Math.min(pause, longestPause.toMillis())));
    }
  }
}
