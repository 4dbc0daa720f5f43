package dev.muster.flowcontrol;

import dev.muster.authorization.Attributes;
import dev.muster.flowcontrol.config.FlowSchema;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A schema that is in force, at its level. Safe for any thread. */
public final class LevelSchema {
  /** So many flows are remembered; clients choose the names that tell flows apart. */
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

  /** So many watches are to be told of a write. */
  public void watchers(int count) {
    var lock = level.queues().lock;
    lock.lock();
    try {
      stats.watchers.add(count);
    } finally {
      lock.unlock();
    }
  }

  /** With one queue or none, there is nothing to tell apart. */
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
