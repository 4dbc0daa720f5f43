package dev.muster.controllers.loop;

import dev.muster.controllers.client.ApiRequests;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;

/**
 * The building blocks of control loops: requests, work queues and followed resources. In a process
 * they use threads and connections; in a simulation they run one step at a time, in an order that a
 * seed determines.
 */
public interface Loops {
  /** A work queue; {@link WorkQueue} describes its guarantees. */
  interface Queue<K> extends AutoCloseable {
    void add(K key);

    /** Adds a key after that time; of several calls the earliest time applies. */
    void addAfter(K key, Duration time);

    @Override
    void close();
  }

  /** A resource that is followed until this is closed. */
  interface Followed extends AutoCloseable {
    /** Whether all initial objects have been reported. */
    boolean synced();

    /** Waits until {@link #synced}. */
    void awaitSynced() throws InterruptedException;

    @Override
    void close();
  }

  /** The implementation with threads, for the API server of a client. */
  static Loops of(KubernetesClient client) {
    return new ThreadedLoops(new ApiRequests(client));
  }

  ApiRequests requests();

  /** A monotonic time in nanoseconds. */
  long nanoTime();

  /** Starts processing keys. */
  <K> Queue<K> queue(String name, int parallel, Duration longestPause, WorkQueue.Work<K> work);

  /** Starts to follow a resource; {@link Reflector} describes which events are reported. */
  <T> Followed follow(
      String path, Function<Map<String, Object>, T> reader, Reflector.Handler<T> handler);
}
