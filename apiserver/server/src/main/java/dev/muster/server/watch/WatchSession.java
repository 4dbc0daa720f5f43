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
 * One watch, owned by the event loop of its connection. Until it has sent everything there is, it
 * pulls events from its cursor, one at a time; then it joins the dispatcher of its collection and
 * is only asked about events that its selector chooses. While the client does not keep up it leaves
 * the dispatcher and pulls nothing; a client that stays behind for too long gets 410 Expired from
 * the cursor. Frames that are not at hand are made elsewhere, a part at a time: then the cursor
 * belongs to that thread until the frames are there.
 */
final class WatchSession {
  private static final Logger LOG = LoggerFactory.getLogger(WatchSession.class);
  private static final int BATCH = 128;

  /** So many frames are sent before it is another watch's turn. */
  private static final int FRAMES = 32;

  private static final long BOOKMARK_NANOS = 60_000_000_000L;
  private static final long LAST_BOOKMARK_NANOS = 2_000_000_000L;

  /**
   * What was made elsewhere.
   *
   * @param failure why there will be no more
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

  /** How many were sent that are not counted yet. */
  private int initialCount;

  private boolean initialOwed;
  private boolean wrote;
  private boolean initialised;

  /** Whether the next event is nothing for an event loop. */
  private boolean costly;

  private boolean making;

  /** Whether its type is not served any more. */
  private boolean withdrawn;

  private final TimerWheel.Timer timer;

  /** The watches beside it; null when nothing drives it but its owner. */
  private @Nullable CollectionWatches collection;

  /** Where it stands among them. */
  private int number;

  /** What drives it while it keeps up; null while it goes by its cursor. */
  private @Nullable WatchDispatcher dispatcher;

  private @Nullable SelectorGroup group;

  /** Where it stands in the group. */
  private int place;

  /** While it keeps up: the number of the first event that it may not have been sent. */
  private long from;

  /** The revision of the last event that it was sent. */
  private long lastSent;

  /** Whether it waits for its turn. */
  private boolean queued;

  /** How many frames it was sent in this turn. */
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

  /** Goes on together with others from now on. */
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

  /** When it has something to do even if nothing happens. */
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

  /** Whether it did not wait for its turn yet. */
  boolean enqueue() {
    if (queued) {
      return false;
    }
    queued = true;
    return true;
  }

  /** It is its turn. */
  void resume() {
    queued = false;
    pump();
  }

  /** Once a minute, and shortly before the end. */
  private long bookmarkAfter(long now) {
    long last = deadline - LAST_BOOKMARK_NANOS;
    return now < last ? Math.min(now + BOOKMARK_NANOS, last) : Long.MAX_VALUE;
  }

  /** Sends what there is to send: at once, or in turns with other watches. */
  void pump() {
    var beside = collection;
    if (beside == null) {
      while (step()) {
        // until there is nothing left or the client falls behind
      }
    } else if (step()) {
      beside.loop().later(this);
    }
  }

  /** Sends a part of what there is to send; whether there is more that the client would take. */
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
      // The other watches of this event loop have nothing to do with it.
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

  /** Sends what was written. */
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

  /** Goes by its cursor from now on, which takes up where the dispatcher is. */
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
   * Takes an event that its selector chooses; whether it was sent or was not meant for this watch.
   * Otherwise the watch goes by its cursor from that event on.
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

  /** Ends the watch if its type is none of these: what is still to be told is told before. */
  void check(Types types) {
    if (!request.isServedBy(types)) {
      withdrawn = true;
      leave();
      pump();
    }
  }

  /** For any thread: why it may not go on; null when it may. */
  @Nullable ApiException refusal(Reauthorization reauthorization) {
    var authorization = request.authorization();
    return authorization == null ? null : reauthorization.refusal(authorization);
  }

  /** Ends the watch with that as its last word. */
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

  /** Once, when all of them are on their way. */
  private void countInitial() {
    if (!initialLeft && initial != null) {
      // They hold a whole snapshot of the collection.
      initial = null;
      request = request.withoutInitial();
      if (initialCount > 0) {
        request.observer().sentInitial(initialCount);
        initialCount = 0;
      }
    }
  }

  /** Whether there may be more events that the client would take. */
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

  /** Elsewhere: the next frames, about as many as fill a part. */
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
      // An object that nobody can convert: the client lists again, and hears why.
      default -> stream.finish();
    }
  }

  private void write(byte[] frame) {
    stream.write(frame);
    request.observer().delivered(frame.length);
    wrote = true;
  }

  /** Bookmarks and the end of time. */
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
    // While it has one of two events of the same revision, there is nothing to say.
    if (!making && stream.open() && position >= lastSent) {
      nextBookmark = bookmarkAfter(now);
      write(request.encoding().bookmark(position, false));
      flush();
    }
  }

  /** The revision up to which it was sent everything that it is to see. */
  private long position() {
    var driver = dispatcher;
    return driver == null ? cursor.position() : Math.max(cursor.position(), driver.position());
  }

  void finish() {
    stream.finish();
  }
}
