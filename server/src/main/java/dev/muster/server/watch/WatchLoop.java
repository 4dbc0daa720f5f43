package dev.muster.server.watch;

import dev.muster.access.Authorizer;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import dev.muster.registry.types.SnapshotView;
import dev.muster.registry.types.Types;
import dev.muster.replica.CoalescedTask;
import dev.muster.replica.Replica;
import dev.muster.replica.snapshot.Snapshot;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The watches of one event loop; all but {@link #wake} runs on it. A published batch wakes each
 * loop once, however many watches it has, and only the watches of collections that changed are
 * pumped.
 */
final class WatchLoop {
  private final Executor loop;
  private final Replica replica;
  private final CoalescedTask pumping = new CoalescedTask(this::run, this::pump);
  private final Map<String, List<WatchSession>> groups = new HashMap<>();

  /** What all watches have seen; null when there are none. */
  private @Nullable Snapshot pumped;

  /** The types by which all watches were checked; weakly, for they outlive nobody. */
  private WeakReference<@Nullable Types> checked = new WeakReference<>(null);

  private final Authorizer authorizer;
  private long authorized;

  /**
   * @param authorizer tells when rights have changed
   */
  WatchLoop(Executor loop, Replica replica, Authorizer authorizer) {
    this.loop = loop;
    this.replica = replica;
    this.authorizer = authorizer;
  }

  /** Safe for any thread; many calls before the loop runs make one run. */
  void wake() {
    pumping.ask();
  }

  void add(String storage, WatchSession session) {
    groups.computeIfAbsent(storage, ignored -> new ArrayList<>()).add(session);
  }

  void remove(String storage, WatchSession session) {
    var group = groups.get(storage);
    if (group != null) {
      group.remove(session);
      if (group.isEmpty()) {
        groups.remove(storage);
      }
      if (groups.isEmpty()) {
        // Nobody may come for long, and the snapshot would stay.
        pumped = null;
      }
    }
  }

  private void pump() {
    var snapshot = replica.current();
    long changed = authorizer.changed(new SnapshotView(snapshot));
    if (changed != authorized) {
      authorized = changed;
      authorize(snapshot, groups.values().stream().flatMap(List::stream).toList());
    }
    // Of very many collections few have changed.
    var before = pumped;
    pumped = groups.isEmpty() ? null : snapshot;
    var changes = before == null ? List.copyOf(groups.keySet()) : snapshot.changedSince(before);
    of(changes).forEach(WatchSession::pump);
    var types = Types.in(snapshot);
    var known = checked.get();
    if (known != types) {
      checked = new WeakReference<>(types);
      // Those of collections that are gone, too, which end here.
      of(known == null ? List.copyOf(groups.keySet()) : types.changedSince(known))
          .forEach(session -> session.check(types));
    }
  }

  private List<WatchSession> of(Iterable<String> storages) {
    var sessions = new ArrayList<WatchSession>();
    for (var storage : storages) {
      sessions.addAll(groups.getOrDefault(storage, List.of()));
    }
    return sessions;
  }

  /** Ends those that may not go on; decided elsewhere, for there may be many. */
  void authorize(Snapshot snapshot, List<WatchSession> sessions) {
    if (sessions.isEmpty()) {
      return;
    }
    Thread.ofVirtual()
        .name("watch-authorization")
        .start(
            () -> {
              for (var session : sessions) {
                var refusal = session.refusal(snapshot);
                if (refusal != null) {
                  run(() -> session.end(refusal));
                }
              }
            });
  }

  void tick() {
    run(
        () -> {
          for (var group : List.copyOf(groups.values())) {
            List.copyOf(group).forEach(WatchSession::tick);
          }
        });
  }

  /** Ends all watches properly, so that clients go elsewhere. */
  void finish() {
    run(
        () -> {
          for (var group : List.copyOf(groups.values())) {
            List.copyOf(group).forEach(WatchSession::finish);
          }
        });
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
          for (var group : List.copyOf(groups.values())) {
            List.copyOf(group).forEach(session -> session.end(expired));
          }
        });
  }

  private void run(Runnable task) {
    try {
      loop.execute(task);
    } catch (RejectedExecutionException _) {
      // A loop that has ended took its watches with it.
    }
  }
}
