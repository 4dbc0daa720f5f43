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
 * The watches of one event loop; all but {@link #wake}, {@link #tick}, {@link #finish} and {@link
 * #behindSince} runs on it. A published batch wakes each loop once, however many watches it has.
 * Collections that changed, watches that catch up and watches whose time has come take turns; when
 * they have done a certain amount of work together, the event loop serves its connections before it
 * goes on. What a turn has written is flushed at its end.
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

  /** Which have something to do. */
  private final ArrayDeque<WatchDispatcher> dispatchers = new ArrayDeque<>();

  private final ArrayDeque<WatchSession> sessions = new ArrayDeque<>();
  private final ArrayDeque<WatchSession> due = new ArrayDeque<>();

  /** Those that were sent something in this turn. */
  private final ArrayList<WatchSession> written = new ArrayList<>();

  private boolean working;
  private boolean turnScheduled;

  /** What all watches have seen; null when there are none. */
  private @Nullable Snapshot pumped;

  /** The types by which all watches were checked; weakly, for they outlive nobody. */
  private WeakReference<@Nullable Types> checked = new WeakReference<>(null);

  /**
   * Watches that began since then: their types may have come after those, and gone before the next.
   */
  private final ArrayList<WatchSession> unchecked = new ArrayList<>();

  private long authorized;

  /** Since when a change waits for this loop to run; 0 when none does. */
  private volatile long wokenAt;

  /** When the oldest change was applied that a turn left for later; 0 for none. */
  private volatile long leftSince;

  /**
   * @param authorizer tells when rights have changed
   * @param nanoTime the clock of bookmarks and timeouts
   * @param budget how much it does before connections are served
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

  /** Safe for any thread; many calls before the loop runs make one run. */
  void wake() {
    if (wokenAt == 0) {
      wokenAt = times.now();
    }
    pumping.ask();
  }

  /** For any thread: when the oldest change was applied that waits for this loop; 0 for none. */
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
        // Nobody may come for long, and the snapshot would stay.
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

  /** It has something to do. */
  void later(WatchDispatcher dispatcher) {
    if (dispatcher.enqueue()) {
      dispatchers.add(dispatcher);
      turnSoon();
    }
  }

  /** It has something to do. */
  void later(WatchSession session) {
    if (session.enqueue()) {
      sessions.add(session);
      turnSoon();
    }
  }

  /** It was sent something that must be flushed at the end of the turn. */
  void flushLater(WatchSession session) {
    written.add(session);
    turnSoon();
  }

  /** A change that was applied then is on its way to all watches that keep up. */
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
    // Of very many collections few have changed.
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
    // Those of collections that are gone, too, which end here.
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

  /** One turn: bounded work, and what is left over when connections have been served. */
  private void turn() {
    turnScheduled = false;
    work();
  }

  private void turnSoon() {
    if (!working && !turnScheduled) {
      turnScheduled = true;
      try {
        // As a timer: tasks would all run before any connection is served.
        loop.schedule(this::turn, 0, TimeUnit.NANOSECONDS);
      } catch (RejectedExecutionException _) {
        // A loop that has ended took its watches with it.
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

  /** Ends those that may not go on; decided elsewhere, for there may be many. */
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

  /** For any thread: a second has passed. */
  void tick() {
    run(
        () -> {
          timers.takeDue(nanoTime.getAsLong(), due);
          if (!turnScheduled) {
            work();
          }
        });
  }

  /** Ends all watches properly, so that clients go elsewhere. */
  void finish() {
    run(() -> all().forEach(WatchSession::finish));
  }

  /** Ends a watch with that as its last word. */
  void end(WatchSession session, ApiException refusal) {
    run(() -> session.end(refusal));
  }

  /** Ends all watches because what they have shown may never have happened. */
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
      // A loop that has ended took its watches with it.
    }
  }
}
