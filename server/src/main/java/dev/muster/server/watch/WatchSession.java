package dev.muster.server.watch;

import dev.muster.model.status.ApiException;
import dev.muster.registry.scheduling.Turn;
import dev.muster.registry.types.Types;
import dev.muster.replica.object.StoredObject;
import dev.muster.replica.snapshot.ReplicaException;
import dev.muster.replica.snapshot.Snapshot;
import dev.muster.replica.snapshot.WatchCursor;
import dev.muster.replica.snapshot.WatchEvent;
import dev.muster.server.answer.StatusBody;
import dev.muster.server.http.HttpStream;
import dev.muster.server.http.limits.OutgoingBudget;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One watch, owned by the event loop of its connection. It pulls events from its cursor while the
 * client keeps up, one at a time, and stops pulling while it does not; a client that stays behind
 * for too long gets 410 Expired from the cursor. Frames that are not at hand are made elsewhere, a
 * part at a time: then the cursor belongs to that thread until the frames are there.
 */
final class WatchSession {
  private static final Logger LOG = LoggerFactory.getLogger(WatchSession.class);
  private static final int BATCH = 128;
  private static final long BOOKMARK_NANOS = 60_000_000_000L;
  private static final long LAST_BOOKMARK_NANOS = 2_000_000_000L;

  /**
   * What was made elsewhere.
   *
   * @param failure why there will be no more
   */
  private record Made(List<byte[]> frames, @Nullable RuntimeException failure) {}

  private final WatchRequest request;
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

  WatchSession(WatchRequest request, WatchCursor cursor, HttpStream stream, LongSupplier nanoTime) {
    this.request = request;
    this.cursor = cursor;
    this.stream = stream;
    this.nanoTime = nanoTime;
    this.initialOwed = request.endsInitial();
    long now = nanoTime.getAsLong();
    this.deadline = now + request.timeout().toNanos();
    this.nextBookmark = bookmarkAfter(now);
  }

  /** Once a minute, and shortly before the end. */
  private long bookmarkAfter(long now) {
    long last = deadline - LAST_BOOKMARK_NANOS;
    return now < last ? Math.min(now + BOOKMARK_NANOS, last) : Long.MAX_VALUE;
  }

  /** Sends what there is to send. */
  void pump() {
    if (making) {
      return;
    }
    try {
      if (initialLeft && !request.initialAtHand()) {
        costly = stream.open() && stream.writable();
      } else {
        sendInitial();
        sendEvents();
      }
    } catch (ReplicaException e) {
      end(e);
      return;
    } catch (RuntimeException | Error e) {
      // The other watches of this event loop have nothing to do with it.
      LOG.error("a watch of {} failed", request.storage(), e);
      stream.abort();
      return;
    }
    if (wrote) {
      wrote = false;
      stream.flush();
    }
    if (!initialised && (isInitialised() || !stream.writable())) {
      initialised = true;
      request.observer().initialised();
    }
    if (costly) {
      costly = false;
      making = true;
      stream.make(this::make, this::made);
    } else if (cursor.ended() || withdrawn) {
      stream.finish();
    }
  }

  private boolean isInitialised() {
    return !initialLeft && !initialOwed;
  }

  /** Ends the watch if its type is none of these: what is still to be told is told before. */
  void check(Types types) {
    if (!request.isServedBy(types)) {
      withdrawn = true;
      pump();
    }
  }

  /** For any thread: why it may not go on in that snapshot; null when it may. */
  @Nullable ApiException refusal(Snapshot snapshot) {
    try {
      var authorization = request.authorization();
      if (authorization != null) {
        authorization.check(snapshot);
      }
      return null;
    } catch (ApiException e) {
      return e;
    }
  }

  /** Ends the watch with that as its last word. */
  void end(ApiException refusal) {
    stream.write(request.encoding().error(StatusBody.of(refusal)));
    stream.finish();
  }

  private void end(ReplicaException failure) {
    stream.write(request.encoding().error(WatchErrors.expired(failure)));
    stream.finish();
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
    if (!initialLeft && initialCount > 0) {
      request.observer().sentInitial(initialCount);
      initialCount = 0;
    }
  }

  private void sendEvents() {
    if (isInitialised()) {
      while (stream.open()
          && stream.writable()
          && !costly
          && cursor.pollWhile(BATCH, this::deliver) > 0) {
        // until there is nothing left or the client falls behind
      }
    }
  }

  private boolean deliver(WatchEvent event) {
    if (!stream.writable()) {
      return false;
    }
    if (!isAtHand(event)) {
      costly = true;
      return false;
    }
    var kind = WatchFilter.kind(event, request.selection());
    if (kind != null) {
      write(request.encoding().frame(kind, event));
    }
    return true;
  }

  private boolean isAtHand(WatchEvent event) {
    var object = event.object();
    var previous = event.previous();
    return (object == null || isAtHand(object)) && (previous == null || isAtHand(previous));
  }

  private boolean isAtHand(StoredObject object) {
    return request.selection().isSoonDecided(object) && request.encoding().isAtHand(object);
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
      Turn.checkpoint();
      var frame = request.encoding().initial(initial().next());
      frames.add(frame);
      initialCount++;
      bytes += frame.length;
    }
    initialLeft = initial().hasNext();
  }

  private void makeEvents(List<byte[]> frames) {
    var bytes = new long[1];
    cursor.pollWhile(
        BATCH,
        event -> {
          if (bytes[0] >= OutgoingBudget.PART) {
            return false;
          }
          Turn.checkpoint();
          var kind = WatchFilter.kind(event, request.selection());
          if (kind != null) {
            var frame = request.encoding().frame(kind, event);
            frames.add(frame);
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
    wrote = true;
  }

  /** Bookmarks and the end of time. */
  void tick() {
    long now = nanoTime.getAsLong();
    if (now >= deadline) {
      stream.finish();
    } else if (!making && request.bookmarks() && now >= nextBookmark && !initialOwed) {
      nextBookmark = bookmarkAfter(now);
      if (stream.writable() && !initialLeft) {
        pump();
        if (!making) {
          stream.write(request.encoding().bookmark(cursor.position(), false));
          stream.flush();
        }
      }
    }
  }

  void finish() {
    stream.finish();
  }
}
