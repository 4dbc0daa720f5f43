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
 * The basis of most controllers: a work queue of keys, and informers that add keys. Work reads the
 * live state and moves it towards the desired state, whatever happened before, so it can be
 * interrupted anywhere. One thread builds it, any thread may close it.
 */
public final class ControlLoop<K> implements AutoCloseable {
  private final WorkQueue<K> queue;
  private final Deque<BackgroundInformer> sources = new ArrayDeque<>();

  private ControlLoop(WorkQueue<K> queue) {
    this.queue = queue;
  }

  /**
   * Starts with an empty queue.
   *
   * @param parallel the number of keys processed concurrently
   * @param longestPause the longest pause between two attempts of failing work
   */
  public static <K> ControlLoop<K> start(
      String name, int parallel, Duration longestPause, WorkQueue.Work<K> work) {
    return new ControlLoop<>(new WorkQueue<>(name, parallel, longestPause, work));
  }

  /** Work that determines when it runs next. */
  public interface TimedWork<K> {
    /** The time until the next run, if any; an exception means a retry soon. */
    Optional<Duration> next(K key);
  }

  /** Starts with an empty queue, for work that depends on time. */
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

  /**
   * For each object that exists, is added, updated or deleted, adds its key to the queue, if it has
   * one.
   */
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
