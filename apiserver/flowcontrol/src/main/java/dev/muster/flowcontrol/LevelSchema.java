package dev.muster.flowcontrol;

import dev.muster.authorization.Attributes;
import dev.muster.flowcontrol.config.FlowSchema;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A FlowSchema in force with its priority level. Thread-safe. */
public final class LevelSchema {
  /** The largest number of cached flows; clients choose the names that distinguish flows. */
  private static final int MOST_FLOWS = 4096;

  private final FlowSchema schema;
  private final PriorityLevel level;
  private final FlowStats stats;
  private final Map<String, Flow> flows = new ConcurrentHashMap<>();

  LevelSchema(FlowSchema schema, PriorityLevel level) {
    this.schema = schema;
    this.level = level;
    this.stats = level.stats(schema.name());
  }

  public FlowSchema schema() {
    return schema;
  }

  public PriorityLevel level() {
    return level;
  }

  FlowStats stats() {
    return stats;
  }

  /** Records how many watches a write has to notify. */
  public void watchers(int count) {
    var lock = level.queues().lock;
    lock.lock();
    try {
      stats.watchers.add(count);
    } finally {
      lock.unlock();
    }
  }

  /** With at most one queue, all requests are one flow. */
  Flow flow(Attributes request) {
    var distinguisher = level.spec().queues() > 1 ? schema.distinguisher().of(request) : "";
    var known = flows.get(distinguisher);
    if (known == null) {
      if (flows.size() >= MOST_FLOWS) {
        flows.clear();
      }
      known = new Flow(this, distinguisher);
      flows.put(distinguisher, known);
    }
    return known;
  }
}
