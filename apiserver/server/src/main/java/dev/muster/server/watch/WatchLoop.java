package dev.muster.server.watch;

import dev.muster.authorization.Authorizer;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import dev.muster.replica.CoalescedTask;
import dev.muster.replica.Replica;
import dev.muster.replica.snapshot.Snapshot;
import dev.muster.types.SnapshotView;
import dev.muster.types.Types;
import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The watches of one event loop. Only that event loop uses it, except for {@link #wake}, {@link
 * #tick}, {@link #finish} and {@link #behindSince}. A published batch wakes each loop once, however
 * many watches it has. Changed collections, watches that catch up and watches with due timers take
 * turns. After a certain amount of work together, the event loop serves its connections before it
 * continues. It flushes at the end of each turn.
 */
final class WatchLoop {
  private static final Logger LOG = LoggerFactory.getLogger(WatchLoop.class);

  private final ScheduledExecutorService loop;
  private final Replica replica;
  private final Authorizer authorizer;
  private final LongSupplier nanoTime;
  private final DeliveryTimes times;
  private final CoalescedTask pumping = new CoalescedTask(this::run, this::pump);
  private final Map<String, CollectionWatches> collections = new HashMap<>();
  private final TimerWheel timers;
  private final TurnBudget budget;

  /** The dispatchers and watches that have work to do. */
  private final ArrayDeque<WatchDispatcher> dispatchers = new ArrayDeque<>();

  private final ArrayDeque<WatchSession> sessions = new ArrayDeque<>();
  private final ArrayDeque<WatchSession> due = new ArrayDeque<>();

  /** The watches that wrote frames in this turn. */
  private final ArrayList<WatchSession> written = new ArrayList<>();

  private boolean working;
  private boolean turnScheduled;

  /** The snapshot that all watches have seen; null when there are no watches. */
  private @Nullable Snapshot pumped;

  /**
   * The types against which all watches were checked. The reference is weak, so that it keeps no
   * old types in memory.
   */
  private WeakReference<@Nullable Types> checked = new WeakReference<>(null);

  /**
   * Watches that began since that check. A type that a watch uses may be newer than the checked
   * types, and gone again in the next ones.
   */
  private final ArrayList<WatchSession> unchecked = new ArrayList<>();

  private long authorized;

  /** Since when a change waits for this loop to run; 0 when no change waits. */
  private volatile long wokenAt;

  /** When the oldest change was applied that the last turn did not deliver; 0 for none. */
  private volatile long leftSince;

  /**
   * @param authorizer tells when permissions have changed
   * @param nanoTime the clock of bookmarks and timeouts
   * @param budget the work of a turn before connections are served
   */
  WatchLoop(
      ScheduledExecutorService loop,
      Replica replica,
      Authorizer authorizer,
      LongSupplier nanoTime,
      DeliveryTimes times,
      TurnBudget budget) {
    this.loop = loop;
    this.replica = replica;
    this.authorizer = authorizer;
    this.nanoTime = nanoTime;
    this.times = times;
    this.budget = budget;
    this.timers = new TimerWheel(nanoTime.getAsLong());
  }

  /** Thread-safe. Many calls before the loop runs cause one run. */
  void wake() {
    if (wokenAt == 0) {
      wokenAt = times.now();
    }
    pumping.ask();
  }

  /** Thread-safe: when the oldest change was applied that waits for this loop; 0 for none. */
  long behindSince() {
    long woken = wokenAt;
    long left = leftSince;
    return woken == 0 || (left != 0 && left < woken) ? left : woken;
  }

  void add(String storage, WatchSession session) {
    var collection =
        collections.computeIfAbsent(storage, unknown -> new CollectionWatches(this, storage));
    collection.add(session);
    session.attend(collection);
    unchecked.add(session);
    timers.add(session.timer());
  }

  void remove(String storage, WatchSession session) {
    timers.remove(session.timer());
    var collection = collections.get(storage);
    if (collection != null) {
      collection.remove(session);
      if (collection.isEmpty()) {
        collections.remove(storage);
      }
      if (collections.isEmpty()) {
        // The next watch may come much later, and the snapshot would stay in memory until then.
        pumped = null;
      }
    }
  }

  TimerWheel timers() {
    return timers;
  }

  TurnBudget budget() {
    return budget;
  }

  /** Queues the dispatcher for the next turn. */
  void later(WatchDispatcher dispatcher) {
    if (dispatcher.enqueue()) {
      dispatchers.add(dispatcher);
      turnSoon();
    }
  }

  /** Queues the watch for the next turn. */
  void later(WatchSession session) {
    if (session.enqueue()) {
      sessions.add(session);
      turnSoon();
    }
  }

  /** Flushes the watch at the end of the turn. */
  void flushLater(WatchSession session) {
    written.add(session);
    turnSoon();
  }

  /** Records that a change, applied at that time, was delivered to all watches that keep up. */
  void delivered(long millis) {
    times.delivered(millis);
  }

  private void pump() {
    wokenAt = 0;
    var snapshot = replica.current();
    long changed = authorizer.changed(new SnapshotView(snapshot));
    if (changed != authorized) {
      authorized = changed;
      authorize(snapshot, all());
    }
    // Asks the snapshot for the changed collections: they are few, even if there are many
    // collections.
    var before = pumped;
    pumped = collections.isEmpty() ? null : snapshot;
    working = true;
    if (before == null) {
      collections.values().forEach(CollectionWatches::changed);
    } else {
      for (var storage : snapshot.changedSince(before)) {
        var collection = collections.get(storage);
        if (collection != null) {
          collection.changed();
        }
      }
    }
    check(Types.in(snapshot));
    working = false;
    if (!turnScheduled) {
      work();
    }
  }

  private void check(Types types) {
    for (var session : List.copyOf(unchecked)) {
      session.check(types);
    }
    unchecked.clear();
    unchecked.trimToSize();
    var known = checked.get();
    if (known == types) {
      return;
    }
    checked = new WeakReference<>(types);
    // Includes collections that are gone, whose watches end here.
    var storages = known == null ? List.copyOf(collections.keySet()) : types.changedSince(known);
    for (var storage : storages) {
      var collection = collections.get(storage);
      if (collection != null) {
        collection.sessions().forEach(session -> session.check(types));
      }
    }
  }

  private List<WatchSession> all() {
    var all = new ArrayList<WatchSession>();
    collections.values().forEach(collection -> all.addAll(collection.sessions()));
    return all;
  }

  /** Runs one turn of bounded work. The rest follows after the connections have been served. */
  private void turn() {
    turnScheduled = false;
    work();
  }

  private void turnSoon() {
    if (!working && !turnScheduled) {
      turnScheduled = true;
      try {
        // Runs as a timer: the event loop would run all tasks before it serves any connection.
        loop.schedule(this::turn, 0, TimeUnit.NANOSECONDS);
      } catch (RejectedExecutionException _) {
        // The event loop has ended, and its watches with it.
      }
    }
  }

  private void work() {
    working = true;
    budget.beginTurn();
    boolean any = true;
    while (any && !budget.isTurnOver()) {
      any = runDispatcher();
      any |= runSession();
      any |= runTimer();
    }
    working = false;
    written.forEach(WatchSession::flush);
    written.clear();
    leftSince = oldestLeft();
    if (!dispatchers.isEmpty() || !sessions.isEmpty() || !due.isEmpty()) {
      turnSoon();
    }
  }

  private boolean runDispatcher() {
    var dispatcher = dispatchers.poll();
    if (dispatcher == null) {
      return false;
    }
    budget.beginSlice();
    try {
      if (dispatcher.run()) {
        later(dispatcher);
      }
    } catch (RuntimeException | Error e) {
      LOG.error("the watches of a collection go on one by one", e);
      dispatcher.dismissAll();
    }
    return true;
  }

  private boolean runSession() {
    var session = sessions.poll();
    if (session == null) {
      return false;
    }
    budget.spend(TurnBudget.FRAME);
    budget.beginSlice();
    session.resume();
    return true;
  }

  private boolean runTimer() {
    var session = due.poll();
    if (session == null) {
      return false;
    }
    budget.spend(TurnBudget.FRAME);
    session.tick();
    return true;
  }

  private long oldestLeft() {
    long oldest = 0;
    for (var dispatcher : dispatchers) {
      long since = dispatcher.waitsSince();
      oldest = oldest == 0 || (since != 0 && since < oldest) ? since : oldest;
    }
    return oldest;
  }

  /**
   * Ends the watches whose users have lost the permission. A virtual thread decides, because there
   * may be many watches.
   */
  void authorize(Snapshot snapshot, List<WatchSession> asked) {
    if (asked.isEmpty()) {
      return;
    }
    Thread.ofVirtual()
        .name("watch-authorization")
        .start(
            () -> {
              var reauthorization = new Reauthorization(snapshot);
              for (var session : asked) {
                var refusal = session.refusal(reauthorization);
                if (refusal != null) {
                  run(() -> session.end(refusal));
                }
              }
            });
  }

  /** Runs the timers that are due. Thread-safe; the clock calls it every second. */
  void tick() {
    run(
        () -> {
          timers.takeDue(nanoTime.getAsLong(), due);
          if (!turnScheduled) {
            work();
          }
        });
  }

  /** Ends all watches properly, so that clients reconnect to another server. */
  void finish() {
    run(() -> all().forEach(WatchSession::finish));
  }

  /** Ends a watch with that error as its last event. */
  void end(WatchSession session, ApiException refusal) {
    run(() -> session.end(refusal));
  }

  /**
   * Ends all watches with 410 Expired, because their events may be of a history that was replaced.
   */
  void expire() {
    var expired =
        new ApiException(
            Reason.EXPIRED, "the store's history was replaced: resource versions begin anew");
    run(
        () -> {
          all().forEach(session -> session.end(expired));
        });
  }

  void run(Runnable task) {
    try {
      loop.execute(task);
    } catch (RejectedExecutionException _) {
      // The event loop has ended, and its watches with it.
    }
  }
}
