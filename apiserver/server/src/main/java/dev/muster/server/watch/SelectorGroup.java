package dev.muster.server.watch;

import dev.muster.registry.read.Selection;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The watches of a collection that keep up and have the same selector. Only one event loop uses it.
 * The dispatcher matches each event once per group. A watch that leaves makes a gap, so that the
 * others keep their places while an event is being delivered to one after the other.
 */
final class SelectorGroup {
  private final Selection selection;
  private final ArrayList<@Nullable WatchSession> members = new ArrayList<>(1);
  private int count;

  /** The number of the last event for which this group was a candidate. */
  private long candidateFor = -1;

  /** Whether an event is being delivered, so that gaps must stay. */
  private boolean busy;

  SelectorGroup(Selection selection) {
    this.selection = selection;
  }

  Selection selection() {
    return selection;
  }

  /** Marks the group as a candidate for that event; false if it was marked already. */
  boolean isNewCandidate(long event) {
    if (candidateFor == event) {
      return false;
    }
    candidateFor = event;
    return true;
  }

  /** Adds a watch at the end and sets its place, which it keeps until gaps are closed. */
  void add(WatchSession session) {
    session.place(members.size());
    members.add(session);
    count++;
  }

  void remove(int place) {
    members.set(place, null);
    count--;
    closeGaps();
  }

  boolean isEmpty() {
    return count == 0;
  }

  /** One more than the last place. */
  int places() {
    return members.size();
  }

  @Nullable WatchSession at(int place) {
    return members.get(place);
  }

  void busy(boolean now) {
    busy = now;
    closeGaps();
  }

  private void closeGaps() {
    if (busy || members.size() < 2 * count + 8) {
      return;
    }
    int next = 0;
    for (int i = 0; i < members.size(); i++) {
      var session = members.get(i);
      if (session != null) {
        session.place(next);
        members.set(next++, session);
      }
    }
    members.subList(next, members.size()).clear();
    members.trimToSize();
  }
}
