package dev.muster.server.watch;

import dev.muster.replica.object.EventKind;
import dev.muster.replica.object.StoredObject;
import dev.muster.replica.snapshot.ReplicaException;
import dev.muster.replica.snapshot.WatchCursor;
import dev.muster.replica.snapshot.WatchEvent;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads each event of one collection once, for all watches of one event loop that keep up. Only
 * that event loop uses it. A watch joins when it has received every event before those that the
 * dispatcher has begun to deliver. A watch leaves when its client reads too slowly, or when another
 * thread has to encode a frame. Delivery can stop between any two watches, and continues there.
 */
final class WatchDispatcher {
  private static final Logger LOG = LoggerFactory.getLogger(WatchDispatcher.class);
  private static final int BATCH = 128;

  private final WatchLoop loop;
  private final CollectionWatches collection;
  private final WatchCursor cursor;
  private final SelectorIndex index = new SelectorIndex();

  /** The event that is being delivered. */
  private @Nullable WatchEvent underway;

  private final List<SelectorGroup> candidates = new ArrayList<>();

  /** The next candidate, the kind of the event for it, and the place of its next watch. */
  private int candidate;

  private @Nullable EventKind kind;
  private int place;
  private boolean handedOut;

  /** Whether another thread is reading fields that the next event needs. */
  private boolean preparing;

  /** The event and candidate that have been prepared, even if the preparation failed. */
  private long preparedFor = -1;

  private int preparedCandidate = -1;

  private boolean queued;

  /**
   * @param cursor where reading begins; only the dispatcher uses it from now on
   */
  WatchDispatcher(WatchLoop loop, CollectionWatches collection, WatchCursor cursor) {
    this.loop = loop;
    this.collection = collection;
    this.cursor = cursor;
  }

  /** Whether it reads the same collection as a watch with that cursor. */
  boolean isOf(WatchCursor other) {
    return cursor.isBeside(other);
  }

  /** Whether a watch can join that has received all events before that number. */
  boolean canJoin(long next) {
    return next >= begun();
  }

  /** The number of the first event that was delivered to no watch. */
  private long begun() {
    return underway == null ? cursor.next() : underway.sequence() + 1;
  }

  /** The number of the first event that was not delivered to all watches yet. */
  long untold() {
    return cursor.next();
  }

  /** A revision up to which everything was delivered. */
  long reached() {
    return cursor.position();
  }

  /** The revision up to which everything is delivered by now. */
  long position() {
    if (underway == null && !preparing) {
      // The position advances also in a collection that does not change.
      try {
        cursor.poll(0, event -> {});
      } catch (ReplicaException.Expired e) {
        loop.later(this);
      }
    }
    return cursor.position();
  }

  SelectorGroup join(WatchSession session) {
    var group = index.group(session.selection());
    group.add(session);
    return group;
  }

  void leave(SelectorGroup group, int placeInIt) {
    group.remove(placeInIt);
    if (group.isEmpty()) {
      index.remove(group);
    }
  }

  /** The number of different selectors of its watches. */
  int selectors() {
    return index.size();
  }

  boolean isIdle() {
    return index.size() == 0;
  }

  /** Marks the dispatcher as queued; false if it was queued already or waits for a preparation. */
  boolean enqueue() {
    if (queued || preparing) {
      return false;
    }
    queued = true;
    return true;
  }

  /** When the oldest event was applied that it has not delivered to all watches; 0 for none. */
  long waitsSince() {
    return underway == null ? 0 : underway.millis();
  }

  /**
   * Delivers events until there are no more or its slice of the turn is used up. Returns whether
   * there is more to do.
   */
  boolean run() {
    queued = false;
    if (preparing) {
      return false;
    }
    if (isIdle()) {
      collection.forget(this);
      return false;
    }
    try {
      while (cursor.pollWhile(BATCH, this::take) == BATCH) {
        // until no event is left or the slice is used up
      }
    } catch (ReplicaException.Expired e) {
      LOG.warn("the watches of a collection fell behind what is remembered of it");
      dismissAll();
      return false;
    }
    if (cursor.ended()) {
      dismissAll();
      return false;
    }
    return !cursor.caughtUp() && !preparing;
  }

  private boolean take(WatchEvent event) {
    var budget = loop.budget();
    if (event != underway) {
      if (budget.isSliceOver() || prepares(event)) {
        return false;
      }
      begin(event);
    }
    while (candidate < candidates.size()) {
      if (budget.isSliceOver() || !handOut(event, candidates.get(candidate))) {
        return false;
      }
      kind = null;
      place = 0;
      candidate++;
    }
    if (handedOut) {
      loop.delivered(event.millis());
    }
    underway = null;
    candidates.clear();
    return true;
  }

  private void begin(WatchEvent event) {
    loop.budget().spend(TurnBudget.LOOK);
    underway = event;
    candidate = 0;
    kind = null;
    place = 0;
    handedOut = false;
    try {
      index.addCandidates(event.object(), event.previous(), event.sequence(), candidates);
    } catch (RuntimeException | Error e) {
      LOG.error("who watches {} cannot be told", event, e);
      // Each watch matches the event itself.
      candidates.clear();
      index.groups().forEach(candidates::add);
    }
  }

  /** Delivers the event to the watches of a group; returns whether all have received it. */
  private boolean handOut(WatchEvent event, SelectorGroup group) {
    var budget = loop.budget();
    var known = kind;
    if (known == null) {
      if (prepares(event, group)) {
        return false;
      }
      budget.spend(TurnBudget.LOOK);
      try {
        known = WatchFilter.kind(event, group.selection());
      } catch (RuntimeException | Error e) {
        LOG.error("whether a watch is to see {} cannot be told", event, e);
        dismiss(group);
        return true;
      }
      if (known == null) {
        return true;
      }
      kind = known;
    }
    group.busy(true);
    while (place < group.places()) {
      if (budget.isSliceOver()) {
        return false;
      }
      var session = group.at(place++);
      if (session != null) {
        budget.spend(TurnBudget.FRAME);
        handedOut |= session.take(event, known);
      }
    }
    group.busy(false);
    return true;
  }

  /** Whether another thread must first read fields from the event's objects. */
  private boolean prepares(WatchEvent event) {
    if (preparedFor == event.sequence()) {
      return false;
    }
    var object = event.object();
    var previous = event.previous();
    var first = object == null ? null : index.preparation(object);
    var second = previous == null ? null : index.preparation(previous);
    if (first == null && second == null) {
      return false;
    }
    preparedFor = event.sequence();
    preparedCandidate = -1;
    prepare(
        () -> {
          run(first);
          run(second);
        });
    return true;
  }

  private static void run(@Nullable Runnable task) {
    if (task != null) {
      task.run();
    }
  }

  private boolean prepares(WatchEvent event, SelectorGroup group) {
    var selection = group.selection();
    var object = event.object();
    var previous = event.previous();
    if (isSoonDecided(group, object) && isSoonDecided(group, previous)) {
      return false;
    }
    if (preparedFor == event.sequence() && preparedCandidate == candidate) {
      return false;
    }
    preparedFor = event.sequence();
    preparedCandidate = candidate;
    prepare(
        () -> {
          if (object != null) {
            selection.matches(object);
          }
          if (previous != null) {
            selection.matches(previous);
          }
        });
    return true;
  }

  private static boolean isSoonDecided(SelectorGroup group, @Nullable StoredObject object) {
    return object == null || group.selection().isSoonDecided(object);
  }

  /** Runs the task on another thread, and continues afterwards. */
  private void prepare(Runnable task) {
    preparing = true;
    Thread.ofVirtual()
        .name("watch-selection")
        .start(
            () -> {
              try {
                task.run();
              } catch (RuntimeException | Error e) {
                LOG.debug("it will fail again where it is told to clients", e);
              } finally {
                loop.run(
                    () -> {
                      preparing = false;
                      loop.later(this);
                    });
              }
            });
  }

  /** Makes all watches read their own cursors. */
  void dismissAll() {
    for (var group : List.copyOf(groups())) {
      dismiss(group);
    }
    underway = null;
    candidates.clear();
    collection.forget(this);
  }

  private List<SelectorGroup> groups() {
    var all = new ArrayList<SelectorGroup>();
    index.groups().forEach(all::add);
    return all;
  }

  private void dismiss(SelectorGroup group) {
    for (int i = 0; i < group.places(); i++) {
      var session = group.at(i);
      if (session != null) {
        session.leave();
        loop.later(session);
      }
    }
  }
}
