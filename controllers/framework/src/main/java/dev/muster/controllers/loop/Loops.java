package dev.muster.controllers.loop;

import dev.muster.controllers.client.ApiRequests;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;

/**
 * What control loops are made of: requests, queues of work and followed resources. Those of a
 * process have threads and connections; those of a simulation do one thing at a time, in an order
 * that its seed decides.
 */
public interface Loops {
  /** Keys that wait for their turn; see {@link WorkQueue} for what a queue promises. */
  interface Queue<K> extends AutoCloseable {
    void add(K key);

    /** Adds a key when that time has passed; of several such calls the earliest time counts. */
    void addAfter(K key, Duration time);

    @Override
    void close();
  }

  /** A resource that is followed until this is closed. */
  interface Followed extends AutoCloseable {
    /** Whether all objects that were there at the start have been shown. */
    boolean synced();

    /** Waits until that is so. */
    void awaitSynced() throws InterruptedException;

    @Override
    void close();
  }

  /** Those of this process, against the API server of a client. */
  static Loops of(KubernetesClient client) {
    return new ThreadedLoops(new ApiRequests(client));
  }

  ApiRequests requests();

  /** A time by a clock that never jumps, in nanoseconds. */
  long nanoTime();

  /** Starts to work on keys. */
  <K> Queue<K> queue(String name, int parallel, Duration longestPause, WorkQueue.Work<K> work);

  /** Starts to follow a resource; see {@link Reflector} for what is told when. */
  <T> Followed follow(
      String path, Function<Map<String, Object>, T> reader, Reflector.Handler<T> handler);
}
