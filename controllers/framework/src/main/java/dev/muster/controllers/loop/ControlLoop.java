package dev.muster.controllers.loop;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.dsl.Informable;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Built by one thread, closed by any. What nearly every controller is made of: a queue of keys that
 * are worked on, and informers whose objects put keys into it. Work looks at the live state and
 * brings it nearer to what is wanted, whatever happened before, so that it can be broken off
 * anywhere.
 */
public final class ControlLoop<K> implements AutoCloseable {
  private final WorkQueue<K> queue;
  private final Deque<BackgroundInformer> sources = new ArrayDeque<>();

  private ControlLoop(WorkQueue<K> queue) {
    this.queue = queue;
  }

  /**
   * Starts without anything to do.
   *
   * @param parallel how many keys are worked on at a time
   * @param longestPause between two tries of work that fails again and again
   */
  public static <K> ControlLoop<K> start(
      String name, int parallel, Duration longestPause, WorkQueue.Work<K> work) {
    return new ControlLoop<>(new WorkQueue<>(name, parallel, longestPause, work));
  }

  /** Work that says when it wants to look again. */
  public interface TimedWork<K> {
    /** The time until the next look, if there is to be one; an exception means a try soon. */
    Optional<Duration> next(K key);
  }

  /** Starts without anything to do, for work that has to wait for times to come. */
  public static <K> ControlLoop<K> startTimed(
      String name, int parallel, Duration longestPause, TimedWork<K> work) {
    var started = new CompletableFuture<WorkQueue<K>>();
    var queue =
        new WorkQueue<K>(
            name,
            parallel,
            longestPause,
            key -> {
              work.next(key).ifPresent(time -> started.join().addAfter(key, time));
              return true;
            });
    started.complete(queue);
    return new ControlLoop<>(queue);
  }

  /** Each object that is there, appears, changes or goes away adds the key that it has, if any. */
  public <T extends HasMetadata> ControlLoop<K> follow(
      Informable<T> objects, Function<T, Optional<K>> key) {
    var informer =
        objects
            .runnableInformer(0)
            .addEventHandler(
                AnyChangeHandler.of(object -> key.apply(object).ifPresent(queue::add)));
    sources.push(BackgroundInformer.start(informer));
    return this;
  }

  public void add(K key) {
    queue.add(key);
  }

  public void addAfter(K key, Duration time) {
    queue.addAfter(key, time);
  }

  @Override
  public void close() {
    while (!sources.isEmpty()) {
      sources.pop().close();
    }
    queue.close();
  }
}
