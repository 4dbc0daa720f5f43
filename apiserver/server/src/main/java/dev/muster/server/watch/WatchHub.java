package dev.muster.server.watch;

import dev.muster.authorization.Authorizer;
import dev.muster.http.HttpStream;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import dev.muster.replica.Replica;
import dev.muster.replica.snapshot.ReplicaException;
import dev.muster.replica.snapshot.WatchCursor;
import dev.muster.types.Types;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** All watches of a server, each on the event loop of its connection. Thread-safe. */
public final class WatchHub implements AutoCloseable {
  /**
   * Watches with a timeout of up to this end on time; all others end with the next tick of the
   * clock.
   */
  private static final Duration SHORT = Duration.ofMinutes(1);

  /** How long a watch waits for a revision before the server asks the store whether it exists. */
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  private final Replica replica;
  private final Authorizer authorizer;
  private final Replica.Subscription subscription;
  private final DeliveryTimes times;
  private final Map<Executor, WatchLoop> loops = new ConcurrentHashMap<>();
  private final AtomicLong count = new AtomicLong();
  private volatile boolean finishing;
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("watch-clock").factory());

  /**
   * @param authorizer tells when permissions have changed
   */
  public WatchHub(Replica replica, Authorizer authorizer, DeliveryTimes times) {
    this.replica = replica;
    this.authorizer = authorizer;
    this.times = times;
    this.subscription = replica.onPublish(() -> loops.values().forEach(WatchLoop::wake));
    clock.scheduleAtFixedRate(
        () -> loops.values().forEach(WatchLoop::tick), 1, 1, TimeUnit.SECONDS);
  }

  /** The number of open watches. */
  public long open() {
    return count.get();
  }

  /**
   * The age of the oldest change that event loops have not delivered to all watches whose clients
   * keep up.
   */
  public Duration oldestUndelivered() {
    long since = 0;
    for (var loop : loops.values()) {
      long behind = loop.behindSince();
      since = since == 0 || (behind != 0 && behind < since) ? behind : since;
    }
    return since == 0 ? Duration.ZERO : Duration.ofMillis(Math.max(0, times.now() - since));
  }

  /**
   * Begins a watch; the event loop of its connection calls it. If the wanted revision is too old,
   * the watch begins nevertheless and its only event says so, where clients expect it.
   *
   * @param open opens its stream
   */
  public void start(
      ScheduledExecutorService eventLoop, Supplier<HttpStream> open, WatchRequest request) {
    WatchCursor cursor;
    try {
      cursor = replica.watch(request.storage(), request.afterRevision());
    } catch (ReplicaException.Expired | ReplicaException.Replaced e) {
      var stream = open.get();
      stream.write(request.encoding().error(WatchErrors.expired(e)));
      stream.finish();
      request.observer().initialised();
      return;
    }
    long known = replica.current().revision();
    var loop =
        loops.computeIfAbsent(
            eventLoop,
            executor ->
                new WatchLoop(
                    eventLoop,
                    replica,
                    authorizer,
                    System::nanoTime,
                    times,
                    TurnBudget.standard()));
    var stream = open.get();
    var session = new WatchSession(request, cursor, stream, System::nanoTime);
    count.incrementAndGet();
    request.observer().opened();
    loop.add(request.storage(), session);
    var end =
        request.timeout().compareTo(SHORT) <= 0
            ? eventLoop.schedule(session::tick, request.timeout().toNanos(), TimeUnit.NANOSECONDS)
            : null;
    var closed = request.afterRevision() > known ? new CompletableFuture<Void>() : null;
    stream.onClose(
        () -> {
          if (closed != null) {
            closed.complete(null);
          }
          closed(loop, session, end);
        });
    stream.onWritable(session::pump);
    stream.flush();
    session.pump();
    session.check(Types.in(replica));
    var authorization = request.authorization();
    var snapshot = replica.current();
    if (authorization != null && authorization.isOutdatedIn(snapshot)) {
      loop.authorize(snapshot, List.of(session));
    }
    if (closed != null) {
      expectRevision(loop, session, request.afterRevision(), closed);
    }
    if (finishing) {
      session.finish();
    }
  }

  /**
   * Checks a revision that this replica has not applied yet. The client may know it from another
   * server. If the store has not reached it either, it is of another history: the client would wait
   * for it and miss all events before it.
   */
  private void expectRevision(
      WatchLoop loop, WatchSession session, long revision, CompletableFuture<Void> closed) {
    var reached = replica.applied(revision);
    var _ =
        CompletableFuture.anyOf(reached, closed)
            .orTimeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
            .whenComplete(
                (done, failure) -> {
                  reached.cancel(false);
                  if (failure instanceof TimeoutException && !finishing) {
                    askForRevision(loop, session, revision, closed);
                  }
                });
  }

  private void askForRevision(
      WatchLoop loop, WatchSession session, long revision, CompletableFuture<Void> closed) {
    var _ =
        replica
            .fresh()
            .whenComplete(
                (latest, failure) -> {
                  if (latest == null) {
                    // The store is unreachable, or the watch ends because the history was replaced.
                    if (!replica.isReplaced() && !finishing && !closed.isDone()) {
                      expectRevision(loop, session, revision, closed);
                    }
                  } else if (latest.revision() < revision) {
                    loop.end(session, ahead(revision, latest.revision()));
                  }
                });
  }

  private static ApiException ahead(long revision, long latest) {
    return new ApiException(
        Reason.EXPIRED,
        "the resource version %d is not one of this cluster, which is at %d"
            .formatted(revision, latest));
  }

  /** Removes the watch, so that nothing keeps its initial objects in memory. */
  private void closed(WatchLoop loop, WatchSession session, @Nullable Future<?> end) {
    if (end != null) {
      end.cancel(false);
    }
    var request = session.request();
    loop.remove(request.storage(), session);
    count.decrementAndGet();
    request.observer().closed();
  }

  /** Ends all watches properly, and new ones as soon as they begin. */
  public void finishAll() {
    finishing = true;
    loops.values().forEach(WatchLoop::finish);
  }

  /** Ends all watches with 410 Expired, so that clients list again. */
  public void expireAll() {
    loops.values().forEach(WatchLoop::expire);
  }

  @Override
  public void close() {
    subscription.close();
    clock.shutdownNow();
    finishAll();
  }
}
