package dev.muster.controllers.loop;

import dev.muster.controllers.client.RequestFailure;
import dev.muster.controllers.metrics.ControllerMetrics;
import dev.muster.controllers.metrics.QueueMetrics;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A work queue with virtual threads. Thread-safe.
 *
 * <ul>
 *   <li>A key that is added several times before it is processed is processed once.
 *   <li>Two threads never process the same key at a time.
 *   <li>A key that is added while it is processed is processed again.
 *   <li>Work that fails or is unfinished is repeated after a pause that doubles each time.
 * </ul>
 */
public final class WorkQueue<K> implements Loops.Queue<K>, QueueMetrics.Measured {
  private static final Logger log = LoggerFactory.getLogger(WorkQueue.class);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);

  /** The work for a key. */
  public interface Work<K> {
    /** Whether the work is finished for now; an exception counts as no. */
    boolean finish(K key);
  }

  private final String name;
  private final Work<K> work;
  private final Duration longestPause;
  private final ScheduledThreadPoolExecutor timer;
  private final List<Thread> workers = new ArrayList<>();

  /** With the time at which they were added. */
  private final Map<K, Long> waiting = new LinkedHashMap<>();

  /** With the time at which processing began. */
  private final Map<K, Long> running = new LinkedHashMap<>();

  private final Map<K, Integer> tries = new HashMap<>();
  private final Map<K, ScheduledFuture<?>> delayed = new HashMap<>();
  private final QueueMetrics.OfQueue metrics;
  private boolean closed;

  @SuppressWarnings("this-escape")
  public WorkQueue(String name, int parallel, Duration longestPause, Work<K> work) {
    this.name = name;
    this.work = work;
    this.longestPause = longestPause;
    timer = new ScheduledThreadPoolExecutor(1, Thread.ofPlatform().daemon().name(name).factory());
    timer.setRemoveOnCancelPolicy(true);
    metrics = ControllerMetrics.OF_PROCESS.queues().open(this);
    for (int i = 0; i < parallel; i++) {
      workers.add(Thread.ofVirtual().name(name + "-" + i).start(this::serve));
    }
  }

  @Override
  public synchronized void add(K key) {
    if (waiting.putIfAbsent(key, System.nanoTime()) == null) {
      metrics.added();
    }
    notifyAll();
  }

  @Override
  public synchronized void addAfter(K key, Duration time) {
    if (closed) {
      return;
    }
    var before = delayed.get(key);
    if (before != null) {
      if (before.getDelay(TimeUnit.MILLISECONDS) <= time.toMillis()) {
        return;
      }
      before.cancel(false);
    }
    delayed.put(key, timer.schedule(() -> addDelayed(key), time.toMillis(), TimeUnit.MILLISECONDS));
  }

  private synchronized void addDelayed(K key) {
    delayed.remove(key);
    add(key);
  }

  @Override
  public String name() {
    return name;
  }

  /** The number of keys that wait; delayed keys do not count. */
  @Override
  public synchronized int depth() {
    return waiting.size();
  }

  @Override
  public synchronized double unfinishedSeconds() {
    long now = System.nanoTime();
    return running.values().stream().mapToDouble(since -> (now - since) / 1e9).sum();
  }

  @Override
  public synchronized double longestSeconds() {
    long now = System.nanoTime();
    return running.values().stream().mapToDouble(since -> (now - since) / 1e9).max().orElse(0);
  }

  /** Ends all threads and waits for them; queued keys are not processed. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      notifyAll();
    }
    timer.shutdownNow();
    workers.forEach(Thread::interrupt);
    try {
      for (var worker : workers) {
        worker.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    metrics.close();
  }

  private void serve() {
    try {
      while (true) {
        var key = take();
        boolean finished = attempt(key);
        putBack(key, finished);
      }
    } catch (InterruptedException e) {
      log.debug("{} ends", name);
    }
  }

  private boolean attempt(K key) throws InterruptedException {
    try {
      return work.finish(key);
    } catch (RuntimeException | Error e) {
      if (closing()) {
        throw new InterruptedException();
      }
      if (e instanceof KubernetesClientException failure && failure.getCode() > 0) {
        log.info("{}: {} is tried again: {}", name, key, e.getMessage());
      } else if (RequestFailure.isExpected(e)) {
        log.warn("{}: {} is tried again: {}", name, key, RequestFailure.describe(e));
      } else {
        log.warn("{}: {} is tried again", name, key, e);
      }
      return false;
    }
  }

  private synchronized boolean closing() {
    return closed;
  }

  private synchronized K take() throws InterruptedException {
    while (true) {
      if (closed) {
        throw new InterruptedException();
      }
      long now = System.nanoTime();
      for (var entry : waiting.entrySet()) {
        var key = entry.getKey();
        if (running.putIfAbsent(key, now) == null) {
          metrics.waited(now - entry.getValue());
          waiting.remove(key);
          return key;
        }
      }
      wait();
    }
  }

  private synchronized void putBack(K key, boolean finished) {
    var since = running.remove(key);
    if (since != null) {
      metrics.worked(System.nanoTime() - since);
    }
    if (finished) {
      tries.remove(key);
    } else if (!closed) {
      metrics.triedAgain();
      int failed = tries.merge(key, 1, Integer::sum);
      long pause = FIRST_PAUSE.toMillis() << Math.min(failed - 1, 20);
      addAfter(key, Duration.ofMillis(Math.min(pause, longestPause.toMillis())));
    }
    notifyAll();
  }
}
