package dev.muster.flowcontrol.width;

import dev.muster.authorization.Attributes;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Counts the open watches by what they watch. Thread-safe. */
public final class WatchCounts {
  private record Watched(String group, String resource, String namespace, String name) {}

  private final Map<Watched, Integer> open = new ConcurrentHashMap<>();

  /** Counts a watch; run the returned action when it ends. */
  public Runnable opened(Attributes watch) {
    var watched = new Watched(watch.group(), watch.resource(), watch.namespace(), watch.name());
    open.merge(watched, 1, Integer::sum);
    return () -> open.computeIfPresent(watched, (key, count) -> count == 1 ? null : count - 1);
  }

  /** The number of watches that such a write may have to notify. */
  public int interestedIn(Attributes write) {
    if (open.isEmpty()) {
      return 0;
    }
    var group = write.group();
    var resource = write.resource();
    int count = of(group, resource, "", "");
    if (!write.namespace().isEmpty()) {
      count += of(group, resource, write.namespace(), "");
    }
    if (!write.name().isEmpty()) {
      count += of(group, resource, write.namespace(), write.name());
    }
    return count;
  }

  private int of(String group, String resource, String namespace, String name) {
    return open.getOrDefault(new Watched(group, resource, namespace, name), 0);
  }
}
