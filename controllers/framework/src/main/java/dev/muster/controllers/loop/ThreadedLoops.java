package dev.muster.controllers.loop;

import dev.muster.controllers.client.ApiRequests;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;

/** Control loops with virtual threads and connections. Thread-safe. */
record ThreadedLoops(ApiRequests requests) implements Loops {
  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public <K> Queue<K> queue(
      String name, int parallel, Duration longestPause, WorkQueue.Work<K> work) {
    return new WorkQueue<>(name, parallel, longestPause, work);
  }

  @Override
  public <T> Followed follow(
      String path, Function<Map<String, Object>, T> reader, Reflector.Handler<T> handler) {
    return Reflector.start(requests, path, reader, handler);
  }
}
