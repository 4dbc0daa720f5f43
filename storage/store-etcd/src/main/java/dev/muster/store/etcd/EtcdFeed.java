package dev.muster.store.etcd;

import dev.muster.store.Change;
import dev.muster.store.Commit;
import dev.muster.store.Feed;
import dev.muster.store.OutageLog;
import dev.muster.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The feed of an etcd store, from a watch on all keys. Network threads add commits and one thread
 * takes them; one lock guards both.
 *
 * <p>The watch starts at the last known revision, and the feed drops what it already knows. So etcd
 * reports when the next revision is compacted. When a watch ends, or stays silent although it was
 * asked for progress, the feed opens another watch from the same revision at the current member.
 * The feed never passes on revisions with a gap.
 */
final class EtcdFeed implements Feed {
  private static final Logger LOG = LoggerFactory.getLogger(EtcdStore.class);
  private static final long SILENCE_MILLIS = 1000;
  private static final long RECONNECT_MILLIS = 100;
  private static final long MAX_BUFFERED_BYTES = 32 << 20;

  private final EtcdClient client;
  private final ScheduledExecutorService timer;
  private final EtcdKeys keys;
  private final EtcdHistory history;
  private final Consumer<EtcdFeed> onClose;
  private final ScheduledFuture<?> watchdog;

  private final OutageLog outage = new OutageLog(LOG);
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition arrived = lock.newCondition();
  private List<Commit> commits = new ArrayList<>();
  private long bufferedBytes;
  private List<Responses.Event> fragments = new ArrayList<>();
  private long position;
  private long gapAfter = -1;
  private @Nullable WatchStream stream;
  private @Nullable StoreException failure;
  private boolean waitsForRoom;

  /** Whether a connection was lost since the last revision that is known to be unchanged. */
  private boolean interrupted;

  private @Nullable WatchStream doubted;

  EtcdFeed(
      EtcdClient client,
      ScheduledExecutorService timer,
      EtcdKeys keys,
      long afterRevision,
      EtcdHistory history,
      Consumer<EtcdFeed> onClose) {
    this.client = client;
    this.timer = timer;
    this.keys = keys;
    this.history = history;
    this.onClose = onClose;
    position = afterRevision;
    watchdog =
        timer.scheduleWithFixedDelay(
            this::watch, SILENCE_MILLIS, SILENCE_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Opens a watch from the feed's revision; called again whenever a watch was lost. */
  void connect() {
    client
        .authenticated()
        .whenComplete(
            (_, refused) -> {
              if (refused == null) {
                open();
              } else {
                lost(null, EtcdFailure.of(refused));
              }
            });
  }

  private void open() {
    lock.lock();
    try {
      if (failure == null && stream == null) {
        fragments = new ArrayList<>();
        waitsForRoom = false;
        stream = new WatchStream(client, Math.max(1, position), this::receive, this::lost);
        stream.start();
      }
    } finally {
      lock.unlock();
    }
  }

  private void receive(WatchStream from, Responses.Watch message) {
    lock.lock();
    try {
      if (from != stream || failure != null) {
        return;
      }
      history.heardFrom(message.header());
      if (failure != null) {
        return;
      }
      if (interrupted && doubted != from) {
        // The connection for calls may have been lost unnoticed before this watch got its own.
        doubted = from;
        history.doubt();
      }
      if (message.canceled()) {
        cancelled(message);
        return;
      }
      outage.ended("the watch of etcd goes on after revision " + position);
      fragments.addAll(message.events());
      if (!message.fragment()) {
        append(fragments);
        fragments = new ArrayList<>();
      }
      if (bufferedBytes < MAX_BUFFERED_BYTES) {
        from.request();
      } else {
        waitsForRoom = true;
      }
    } finally {
      lock.unlock();
    }
  }

  /** Adds complete revisions. etcd sends them in order and splits them only into fragments. */
  private void append(List<Responses.Event> events) {
    for (var start = 0; start < events.size(); ) {
      var revision = events.get(start).modRevision();
      var end = start + 1;
      while (end < events.size() && events.get(end).modRevision() == revision) {
        end++;
      }
      if (revision > position && interrupted && !history.passedOver(position)) {
        return;
      }
      if (revision >= position && !history.followed(revision, events.subList(start, end))) {
        return;
      }
      interrupted &= revision < position;
      if (revision > position + 1 && position > 0) {
        missing(revision);
        return;
      }
      if (revision > position) {
        commits.add(new Commit(revision, changes(events.subList(start, end))));
        position = revision;
        arrived.signalAll();
      }
      start = end;
    }
  }

  private List<Change> changes(List<Responses.Event> events) {
    var changes = new ArrayList<Change>(events.size());
    for (var event : events) {
      var key = keys.fromEtcd(event.key());
      if (key != null) {
        var value = event.value();
        changes.add(new Change(key, value));
        bufferedBytes += 128 + key.length() + (value == null ? 0 : value.length);
      }
    }
    return changes;
  }

  private void missing(long revision) {
    LOG.warn("etcd's watch went from revision {} to {}", position, revision);
    if (gapAfter == position) {
      fail(new StoreException.Compacted(revision - 1));
    } else {
      gapAfter = position;
      reconnect();
    }
  }

  private void cancelled(Responses.Watch message) {
    if (message.compactRevision() > 0) {
      fail(
          interrupted
              ? history.unprovable(message.compactRevision())
              : new StoreException.Compacted(message.compactRevision()));
      return;
    }
    ended(EtcdFailure.ofCancelledWatch(message.cancelReason()));
  }

  private void lost(@Nullable WatchStream from, EtcdFailure reason) {
    lock.lock();
    try {
      if (from == stream && failure == null) {
        ended(reason);
      }
    } finally {
      lock.unlock();
    }
  }

  private void ended(EtcdFailure reason) {
    interrupted = true;
    history.doubt();
    if (reason.meaning() != EtcdFailure.Meaning.DENIED) {
      complain("ended: " + reason.getMessage());
    }
    switch (reason.meaning()) {
      case DENIED ->
          fail(
              new StoreException.Unusable(
                  "etcd does not let us watch all keys (grant read on the whole key space): "
                      + reason.getMessage(),
                  reason));
      case NOT_AUTHENTICATED -> {
        client.forgetToken();
        reconnect();
      }
      case NOT_DONE, IN_DOUBT, TOO_LARGE, COMPACTED, FUTURE_REVISION, LEASE_GONE, NO_SPACE -> {
        suspect();
        reconnect();
      }
    }
  }

  private void suspect() {
    var lost = stream;
    client.suspect(lost == null ? client.current() : lost.member());
  }

  /**
   * Logs a lost watch, unless the client has already logged that etcd or that member does not
   * answer.
   */
  private void complain(String what) {
    var lost = stream;
    if (client.isAway() || (lost != null && lost.member() != client.current())) {
      LOG.debug("the watch after revision {} {}", position, what);
    } else {
      outage.failed("the watch of etcd after revision " + position + " is resumed, it " + what);
    }
  }

  private void reconnect() {
    drop();
    if (!timer.isShutdown()) {
      timer.schedule(this::connect, RECONNECT_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private void drop() {
    var old = stream;
    stream = null;
    if (old != null) {
      old.cancel();
    }
  }

  /** Replaces a watch that stays silent although it was asked for progress. */
  private void watch() {
    lock.lock();
    try {
      var current = stream;
      if (current == null || waitsForRoom) {
        return;
      }
      if (!current.isAlive()) {
        interrupted = true;
        history.doubt();
        complain("is silent");
        suspect();
        reconnect();
      }
    } finally {
      lock.unlock();
    }
  }

  /** The store has replaced history: discards all commits that were not taken yet. */
  void replaced(StoreException.Replaced reason) {
    lock.lock();
    try {
      commits = new ArrayList<>();
      fail(reason);
    } finally {
      lock.unlock();
    }
  }

  private void fail(StoreException reason) {
    if (failure == null) {
      failure = reason;
      drop();
      arrived.signalAll();
    }
  }

  @Override
  public List<Commit> take(Duration patience) throws InterruptedException {
    var left = patience.toNanos();
    lock.lockInterruptibly();
    try {
      while (commits.isEmpty()) {
        if (failure != null) {
          throw failure;
        }
        if (left <= 0) {
          return List.of();
        }
        left = arrived.awaitNanos(left);
      }
      var taken = commits;
      commits = new ArrayList<>();
      bufferedBytes = 0;
      if (waitsForRoom && stream != null) {
        waitsForRoom = false;
        stream.request();
      }
      return taken;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean connected() {
    lock.lock();
    try {
      return stream != null && stream.isOpen();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      commits = new ArrayList<>();
      fail(new StoreException.Closed());
    } finally {
      lock.unlock();
    }
    watchdog.cancel(false);
    onClose.accept(this);
  }
}
