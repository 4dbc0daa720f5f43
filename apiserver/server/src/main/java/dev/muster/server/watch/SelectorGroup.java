package dev.muster.server.watch;

import dev.muster.registry.read.Selection;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Owned by one event loop: the watches of a collection that choose the same objects and keep up.
 * What an event is to them is found out once. A watch that leaves makes a gap, so that the others
 * stay where they are while an event is being handed to one after the other.
 */
final class SelectorGroup {
  private final Selection selection;
  private final ArrayList<@Nullable WatchSession> members = new ArrayList<>(1);
  private int count;

  /** The number of the last event for which this was found to be a candidate. */
  private long candidateFor = -1;

  /** Whether an event is being handed out, so that gaps must stay. */
  private boolean busy;

  SelectorGroup(Selection selection) {
    this.selection = selection;
  }

  Selection selection() {
    return selection;
  }

  /** Whether it was not yet found for that event. */
  boolean isNewCandidate(long event) {
    if (candidateFor == event) {
      return false;
    }
    candidateFor = event;
    return true;
  }

  /** Its place in the group, until it leaves or gaps are closed. */
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
