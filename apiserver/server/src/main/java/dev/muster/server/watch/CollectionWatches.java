package dev.muster.server.watch;

import dev.muster.replica.snapshot.WatchCursor;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All watches of one collection on one event loop. Only that event loop uses it. After a definition
 * has replaced the collection by another of the same name there are two dispatchers, until the old
 * one has delivered its last events.
 */
final class CollectionWatches {
  private final WatchLoop loop;
  private final String storage;
  private final ArrayList<WatchSession> sessions = new ArrayList<>(1);
  private final List<WatchDispatcher> dispatchers = new ArrayList<>(1);

  /** The number of watches that read every event themselves. */
  private int apart;

  CollectionWatches(WatchLoop loop, String storage) {
    this.loop = loop;
    this.storage = storage;
  }

  String storage() {
    return storage;
  }

  WatchLoop loop() {
    return loop;
  }

  void add(WatchSession session) {
    session.number(sessions.size());
    sessions.add(session);
    apart += session.selection().needsConversion() ? 1 : 0;
  }

  void remove(WatchSession session) {
    int number = session.number();
    if (number >= sessions.size() || sessions.get(number) != session) {
      return;
    }
    var last = sessions.removeLast();
    if (last != session) {
      sessions.set(number, last);
      last.number(number);
    }
    apart -= session.selection().needsConversion() ? 1 : 0;
    session.leave();
  }

  boolean isEmpty() {
    return sessions.isEmpty();
  }

  /** A copy of the list of all watches. */
  List<WatchSession> sessions() {
    return List.copyOf(sessions);
  }

  /** Schedules the dispatchers and watches that the new events of the collection concern. */
  void changed() {
    for (var dispatcher : dispatchers) {
      loop.later(dispatcher);
    }
    if (apart > 0) {
      for (var session : sessions) {
        if (session.selection().needsConversion()) {
          loop.later(session);
        }
      }
    }
  }

  /**
   * The dispatcher that the watch can join, because it has not begun to deliver events after the
   * watch's cursor. Null when the watch has to catch up first.
   */
  @Nullable WatchDispatcher dispatcher(WatchCursor cursor) {
    for (var dispatcher : dispatchers) {
      if (dispatcher.isOf(cursor) && !dispatcher.isIdle()) {
        return dispatcher.canJoin(cursor.next()) ? dispatcher : null;
      }
    }
    dispatchers.removeIf(dispatcher -> dispatcher.isOf(cursor));
    var made = new WatchDispatcher(loop, this, cursor.beside());
    dispatchers.add(made);
    return made;
  }

  void forget(WatchDispatcher dispatcher) {
    dispatchers.remove(dispatcher);
  }
}
