package dev.muster.controllers.simulation;

import dev.muster.controllers.loop.Loops;
import dev.muster.controllers.loop.Reflector;
import dev.muster.model.json.JsonObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * One thread at a time. Tells what {@link Reflector} does, each change when it is asked to; after
 * it was lost, everything is read anew.
 */
final class SimulatedWatch<T> implements Loops.Followed {
  private final RequestPath path;
  private final Function<Map<String, Object>, T> reader;
  private final Reflector.Handler<T> handler;
  private final Map<String, T> known = new HashMap<>();
  private boolean lost = true;
  private boolean stalled;
  private boolean silent;
  private boolean synced;
  private boolean closed;
  private int told;

  SimulatedWatch(
      RequestPath path, Function<Map<String, Object>, T> reader, Reflector.Handler<T> handler) {
    this.path = path;
    this.reader = reader;
    this.handler = handler;
  }

  @Override
  public boolean synced() {
    return synced;
  }

  @Override
  public void awaitSynced() {
    if (!synced) {
      throw new IllegalStateException("the first state was not read yet");
    }
  }

  @Override
  public void close() {
    closed = true;
  }

  void lose() {
    lost = true;
    stalled = false;
    silent = false;
  }

  /** Tells nothing until it is lost. */
  void silence(String collection) {
    silent |= path.collection().equals(collection);
  }

  /** Tells nothing for a while. */
  void stall() {
    stalled = synced;
  }

  /**
   * @param patience after how many changes one that is stalled goes on
   */
  boolean isBehind(List<SimulatedApi.Change> log, int patience) {
    stalled &= told + patience > log.size();
    return !closed && !stalled && !silent && (lost || told < log.size());
  }

  void deliver(SimulatedApi api) {
    if (lost) {
      readAnew(api);
      return;
    }
    while (told < api.log().size()) {
      if (report(api.log().get(told++))) {
        return;
      }
    }
  }

  private void readAnew(SimulatedApi api) {
    lost = false;
    told = api.log().size();
    var gone = new HashMap<>(known);
    for (var object : api.list(path.collection())) {
      if (path.selects(object)) {
        gone.remove(uid(object));
        see(object);
      }
    }
    known.keySet().removeAll(gone.keySet());
    gone.values().forEach(handler::gone);
    synced = true;
    handler.readAnew(Integer.toString(told));
  }

  /** Whether it is a change that this watch is about. */
  private boolean report(SimulatedApi.Change change) {
    if (!change.collection().equals(path.collection())) {
      return false;
    }
    var after = change.after();
    if (!after.isEmpty() && path.selects(after)) {
      see(after);
      return true;
    }
    var before = change.before();
    if (!before.isEmpty() && path.selects(before)) {
      var last = known.remove(uid(before));
      handler.gone(last == null ? reader.apply(Simulation.map(before)) : last);
      return true;
    }
    return false;
  }

  private void see(JsonObject object) {
    var read = reader.apply(Simulation.map(object));
    known.put(uid(object), read);
    handler.seen(read);
  }

  private static String uid(JsonObject object) {
    return object.object("metadata").string("uid");
  }
}
