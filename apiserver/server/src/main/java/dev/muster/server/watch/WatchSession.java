package dev.muster.server.watch;

import dev.muster.http.HttpStream;
import dev.muster.http.limits.OutgoingBudget;
import dev.muster.model.status.ApiException;
import dev.muster.registry.read.Selection;
import dev.muster.replica.object.EventKind;
import dev.muster.replica.object.StoredObject;
import dev.muster.replica.snapshot.ReplicaException;
import dev.muster.replica.snapshot.WatchCursor;
import dev.muster.replica.snapshot.WatchEvent;
import dev.muster.server.answer.StatusBody;
import dev.muster.types.Types;
import dev.muster.types.scheduling.CpuTask;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One watch. Only the event loop of its connection uses it. Until it has sent all past events, it
 * pulls events from its cursor, one at a time. Then it joins the dispatcher of its collection,
 * which calls it only for events that its selector matches. While the client does not keep up, the
 * watch leaves the dispatcher and pulls nothing; after too long the cursor answers 410 Expired.
 * Another thread encodes frames that are not precomputed, one part at a time, and owns the cursor
 * meanwhile.
 */
final class WatchSession {
  private static final Logger LOG = LoggerFactory.getLogger(WatchSession.class);
  private static final int BATCH = 128;

  /** The number of frames that a watch sends before another watch runs. */
  private static final int FRAMES = 32;

  private static final long BOOKMARK_NANOS = 60_000_000_000L;
  private static final long LAST_BOOKMARK_NANOS = 2_000_000_000L;

  /**
   * Frames that another thread has encoded.
   *
   * @param failure why no more frames follow
   */
  private record Made(List<byte[]> frames, @Nullable RuntimeException failure) {}

  private WatchRequest request;
  private final WatchCursor cursor;
  private final HttpStream stream;
  private final LongSupplier nanoTime;
  private final long deadline;
  private @Nullable Iterator<StoredObject> initial;
  private long nextBookmark;
  private boolean initialLeft = true;

  /** The number of initial objects that were sent and are not reported yet. */
  private int initialCount;

  private boolean initialOwed;
  private boolean wrote;
  private boolean initialised;

  /** Whether another thread must encode the next event. */
  private boolean costly;

  private boolean making;

  /** Whether its type is no longer served. */
  private boolean withdrawn;

  private final TimerWheel.Timer timer;

  /** All watches of the same collection; null when only the owner of this watch drives it. */
  private @Nullable CollectionWatches collection;

  /** The position of this watch in the collection's list. */
  private int number;

  /**
   * The dispatcher that drives this watch while it keeps up; null while it reads its own cursor.
   */
  private @Nullable WatchDispatcher dispatcher;

  private @Nullable SelectorGroup group;

  /** The place of this watch in its group. */
  private int place;

  /** While it keeps up: the number of the first event that it may not have received. */
  private long from;

  /** The revision of the last event that it sent. */
  private long lastSent;

  /** Whether it waits in the queue of its event loop. */
  private boolean queued;

  /** The number of frames that it sent in this turn. */
  private int frames;

  WatchSession(WatchRequest request, WatchCursor cursor, HttpStream stream, LongSupplier nanoTime) {
    this.request = request;
    this.cursor = cursor;
    this.stream = stream;
    this.nanoTime = nanoTime;
    this.initialOwed = request.endsInitial();
    long now = nanoTime.getAsLong();
    this.deadline = now + request.timeout().toNanos();
    this.nextBookmark = bookmarkAfter(now);
    this.timer = new TimerWheel.Timer(this);
  }

  /** Lets the watch take turns with the other watches of its collection from now on. */
  void attend(CollectionWatches watches) {
    collection = watches;
  }

  Selection selection() {
    return request.selection();
  }

  WatchRequest request() {
    return request;
  }

  TimerWheel.Timer timer() {
    return timer;
  }

  /** When it has something to do even if no event occurs. */
  long due() {
    return request.bookmarks() ? Math.min(deadline, nextBookmark) : deadline;
  }

  int number() {
    return number;
  }

  void number(int now) {
    number = now;
  }

  void place(int now) {
    place = now;
  }

  /** Marks the watch as queued; false if it was queued already. */
  boolean enqueue() {
    if (queued) {
      return false;
    }
    queued = true;
    return true;
  }

  /** Runs the turn of this watch. */
  void resume() {
    queued = false;
    pump();
  }

  /** Bookmarks come once a minute, and shortly before the timeout. */
  private long bookmarkAfter(long now) {
    long last = deadline - LAST_BOOKMARK_NANOS;
    return now < last ? Math.min(now + BOOKMARK_NANOS, last) : Long.MAX_VALUE;
  }

  /** Sends pending events: all at once, or in turns with other watches. */
  void pump() {
    var beside = collection;
    if (beside == null) {
      while (step()) {
        // until no event is left or the client falls behind
      }
    } else if (step()) {
      beside.loop().later(this);
    }
  }

  /**
   * Sends a part of the pending events. Returns whether more are left that the client would accept.
   */
  private boolean step() {
    if (making || group != null || !stream.open()) {
      return false;
    }
    boolean more = false;
    try {
      if (initialLeft && !request.initialAtHand()) {
        costly = stream.open() && stream.writable();
      } else {
        sendInitial();
        more = sendEvents();
      }
    } catch (ReplicaException e) {
      end(e);
      return false;
    } catch (RuntimeException | Error e) {
      // The failure must not affect the other watches of this event loop.
      LOG.error("a watch of {} failed", request.storage(), e);
      stream.abort();
      return false;
    }
    flush();
    if (!initialised && (isInitialised() || !stream.writable())) {
      initialised = true;
      request.observer().initialised();
    }
    if (costly) {
      costly = false;
      making = true;
      stream.make(this::make, this::made);
    } else if (!more) {
      if (cursor.ended() || withdrawn) {
        stream.finish();
      } else if (isInitialised() && cursor.caughtUp()) {
        join();
      }
    }
    return more;
  }

  /** Flushes written frames. */
  void flush() {
    if (wrote) {
      wrote = false;
      stream.flush();
    }
  }

  private void join() {
    var beside = collection;
    if (beside == null || selection().needsConversion() || !stream.open()) {
      return;
    }
    var found = beside.dispatcher(cursor);
    if (found == null) {
      beside.loop().later(this);
      return;
    }
    from = cursor.next();
    dispatcher = found;
    group = found.join(this);
  }

  /** Reads its own cursor from now on, beginning where the dispatcher is. */
  void leave() {
    var left = dispatcher;
    var former = group;
    if (left != null && former != null) {
      dispatcher = null;
      group = null;
      left.leave(former, place);
      cursor.skipTo(Math.max(from, left.untold()), left.reached());
    }
  }

  /**
   * Sends an event that the selector matches. Returns true if the event was sent. If the client is
   * slow or the frame is not precomputed, the watch reads its own cursor from that event on.
   */
  boolean take(WatchEvent event, EventKind kind) {
    var beside = collection;
    if (beside == null || event.sequence() < from || event.revision() <= request.afterRevision()) {
      return false;
    }
    try {
      if (!stream.writable()) {
        leave();
        return false;
      }
      if (!isPrecomputed(event)) {
        leave();
        beside.loop().later(this);
        return false;
      }
      from = event.sequence() + 1;
      if (!wrote) {
        beside.loop().flushLater(this);
      }
      lastSent = event.revision();
      write(request.encoding().frame(kind, event));
      return true;
    } catch (RuntimeException | Error e) {
      LOG.error("a watch of {} failed", request.storage(), e);
      stream.abort();
      return false;
    }
  }

  private boolean isInitialised() {
    return !initialLeft && !initialOwed;
  }

  /** Ends the watch if its type is not among these types. It sends the remaining events first. */
  void check(Types types) {
    if (!request.isServedBy(types)) {
      withdrawn = true;
      leave();
      pump();
    }
  }

  /** The reason why the watch must end; null when it may continue. Thread-safe. */
  @Nullable ApiException refusal(Reauthorization reauthorization) {
    var authorization = request.authorization();
    return authorization == null ? null : reauthorization.refusal(authorization);
  }

  /** Ends the watch with that error as its last event. */
  void end(ApiException refusal) {
    leave();
    last(request.encoding().error(StatusBody.of(refusal)));
  }

  private void end(ReplicaException failure) {
    last(request.encoding().error(WatchErrors.expired(failure)));
  }

  private void last(byte[] frame) {
    if (stream.open()) {
      write(frame);
      stream.finish();
    }
  }

  private Iterator<StoredObject> initial() {
    var known = initial;
    if (known == null) {
      known = request.initial().iterator();
      initial = known;
    }
    return known;
  }

  private void sendInitial() {
    while (initialLeft && stream.writable()) {
      if (initial().hasNext()) {
        write(request.encoding().initial(initial().next()));
        initialCount++;
      } else {
        initialLeft = false;
      }
    }
    countInitial();
    if (initialOwed && !initialLeft && stream.writable()) {
      initialOwed = false;
      write(request.encoding().bookmark(request.afterRevision(), true));
    }
  }

  /** Reports the initial objects once, when all of them are on their way. */
  private void countInitial() {
    if (!initialLeft && initial != null) {
      // The initial objects hold a whole snapshot of the collection in memory.
      initial = null;
      request = request.withoutInitial();
      if (initialCount > 0) {
        request.observer().sentInitial(initialCount);
        initialCount = 0;
      }
    }
  }

  /** Sends events. Returns whether there may be more that the client would accept. */
  private boolean sendEvents() {
    if (!isInitialised() || !stream.open() || !stream.writable()) {
      return false;
    }
    frames = 0;
    int taken = cursor.pollWhile(BATCH, this::deliver);
    if (collection != null) {
      collection.loop().budget().spend(taken * TurnBudget.LOOK + frames * TurnBudget.FRAME);
    }
    return !cursor.caughtUp() && !costly && stream.open() && stream.writable();
  }

  private boolean deliver(WatchEvent event) {
    if (frames == FRAMES || !stream.writable()) {
      return false;
    }
    if (!isPrecomputed(event)) {
      costly = true;
      return false;
    }
    var kind = WatchFilter.kind(event, request.selection());
    if (kind != null) {
      lastSent = event.revision();
      write(request.encoding().frame(kind, event));
      frames++;
    }
    return true;
  }

  private boolean isPrecomputed(WatchEvent event) {
    var object = event.object();
    var previous = event.previous();
    return (object == null || isPrecomputed(object))
        && (previous == null || isPrecomputed(previous));
  }

  private boolean isPrecomputed(StoredObject object) {
    return request.selection().isSoonDecided(object) && request.encoding().isPrecomputed(object);
  }

  /** Encodes the next frames, about as many as fill a part. Another thread calls it. */
  private Made make() {
    var frames = new ArrayList<byte[]>();
    try {
      if (initialLeft) {
        makeInitial(frames);
      } else {
        makeEvents(frames);
      }
      return new Made(frames, null);
    } catch (ReplicaException | ApiException e) {
      return new Made(frames, e);
    }
  }

  private void makeInitial(List<byte[]> frames) {
    long bytes = 0;
    while (initial().hasNext() && bytes < OutgoingBudget.PART) {
      CpuTask.checkpoint();
      var frame = request.encoding().initial(initial().next());
      frames.add(frame);
      initialCount++;
      bytes += frame.length;
    }
    initialLeft = initial().hasNext();
  }

  private void makeEvents(List<byte[]> made) {
    var bytes = new long[1];
    cursor.pollWhile(
        BATCH,
        event -> {
          if (bytes[0] >= OutgoingBudget.PART) {
            return false;
          }
          CpuTask.checkpoint();
          var kind = WatchFilter.kind(event, request.selection());
          if (kind != null) {
            var frame = request.encoding().frame(kind, event);
            lastSent = event.revision();
            made.add(frame);
            bytes[0] += frame.length;
          }
          return true;
        });
  }

  private void made(Made made) {
    making = false;
    made.frames().forEach(this::write);
    switch (made.failure()) {
      case null -> pump();
      case ReplicaException expired -> end(expired);
      // An object cannot be converted: the client lists again and receives the error there.
      default -> stream.finish();
    }
  }

  private void write(byte[] frame) {
    stream.write(frame);
    request.observer().delivered(frame.length);
    wrote = true;
  }

  /** Sends a bookmark or ends the watch, if either is due. */
  void tick() {
    long now = nanoTime.getAsLong();
    if (now >= deadline) {
      stream.finish();
    } else if (!making && request.bookmarks() && now >= nextBookmark && !initialOwed) {
      bookmark(now);
    }
    if (collection != null && stream.open()) {
      collection.loop().timers().add(timer);
    }
  }

  private void bookmark(long now) {
    if (!stream.writable() || initialLeft) {
      nextBookmark = bookmarkAfter(now);
      return;
    }
    pump();
    long position = position();
    // No bookmark while the watch has sent only one of two events of the same revision.
    if (!making && stream.open() && position >= lastSent) {
      nextBookmark = bookmarkAfter(now);
      write(request.encoding().bookmark(position, false));
      flush();
    }
  }

  /** The revision up to which the watch has sent all events that its selector matches. */
  private long position() {
    var driver = dispatcher;
    return driver == null ? cursor.position() : Math.max(cursor.position(), driver.position());
  }

  void finish() {
    stream.finish();
  }
}
