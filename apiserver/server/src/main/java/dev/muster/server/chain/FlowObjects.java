package dev.muster.server.chain;

import dev.muster.flowcontrol.PriorityLevels;
import dev.muster.flowcontrol.config.FlowSchema;
import dev.muster.flowcontrol.config.PriorityLevelSpec;
import dev.muster.model.json.JsonObject;
import dev.muster.replica.Replica;
import dev.muster.replica.snapshot.Collection;
import dev.muster.replica.snapshot.ReplicaException;
import dev.muster.replica.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Applies the FlowSchemas and PriorityLevelConfigurations of the newest snapshot before the next
 * request is classified. Thread-safe. It compiles only objects that have changed.
 */
final class FlowObjects {
  private record Compiled<T>(long revision, T value) {}

  private final Replica replica;
  private final PriorityLevels levels;
  private Map<String, Compiled<FlowSchema>> schemas = Map.of();
  private Map<String, Compiled<PriorityLevelSpec>> specs = Map.of();
  private volatile @Nullable Snapshot seen;
  private volatile long schemasChanged = -1;
  private volatile long levelsChanged = -1;

  FlowObjects(Replica replica, PriorityLevels levels) {
    this.replica = replica;
    this.levels = levels;
  }

  void refresh() {
    Snapshot snapshot;
    try {
      snapshot = replica.current();
    } catch (ReplicaException.NotLoaded e) {
      return;
    }
    if (snapshot != seen) {
      if (isNew(snapshot)) {
        compile(snapshot);
      }
      seen = snapshot;
    }
  }

  private boolean isNew(Snapshot snapshot) {
    return schemas(snapshot).changed() != schemasChanged
        || levels(snapshot).changed() != levelsChanged;
  }

  private static Collection schemas(Snapshot snapshot) {
    return snapshot.collection("/flowschemas");
  }

  private static Collection levels(Snapshot snapshot) {
    return snapshot.collection("/prioritylevelconfigurations");
  }

  private synchronized void compile(Snapshot snapshot) {
    if (!isNew(snapshot) || isOlder(snapshot)) {
      return;
    }
    schemas = compile(schemas(snapshot), schemas, FlowSchema::of);
    specs = compile(levels(snapshot), specs, PriorityLevelSpec::of);
    levels.configure(values(schemas), values(specs), System.nanoTime());
    schemasChanged = schemas(snapshot).changed();
    levelsChanged = levels(snapshot).changed();
  }

  /** Another event loop may have applied a newer snapshot already. */
  private boolean isOlder(Snapshot snapshot) {
    return schemas(snapshot).changed() < schemasChanged
        || levels(snapshot).changed() < levelsChanged;
  }

  private static <T> List<T> values(Map<String, Compiled<T>> compiled) {
    var values = new ArrayList<T>(compiled.size());
    compiled.values().forEach(one -> values.add(one.value()));
    return values;
  }

  private static <T> Map<String, Compiled<T>> compile(
      Collection objects, Map<String, Compiled<T>> known, Function<JsonObject, T> compiler) {
    var compiled = new HashMap<String, Compiled<T>>();
    for (var stored : objects.all()) {
      var name = stored.name().name();
      var before = known.get(name);
      compiled.put(
          name,
          before != null && before.revision() == stored.revision()
              ? before
              : new Compiled<>(stored.revision(), compiler.apply(stored.tree())));
    }
    return compiled;
  }
}
