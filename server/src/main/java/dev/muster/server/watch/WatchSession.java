package dev.muster.server.watch;

import dev.muster.registry.types.Types;
import dev.muster.replica.ReplicaException;
import dev.muster.replica.WatchCursor;
import dev.muster.replica.WatchEvent;
import dev.muster.server.http.HttpStream;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One watch. Everything in this class runs on the event loop of the watch's connection. It pulls
 * events from its cursor while the client keeps up, and stops pulling while it does not; a client
 * that stays behind for too long gets 410 Expired from the cursor.
 */
final class WatchSession {
  private static final Logger LOG = LoggerFactory.getLogger(WatchSession.class);
  private static final int BATCH = 128;
  private static final long BOOKMARK_NANOS = 60_000_000_000L;
  private static final long LAST_BOOKMARK_NANOS = 2_000_000_000L;

  private final WatchRequest request;
  private final WatchCursor cursor;
  private final HttpStream stream;
  private final LongSupplier nanoTime;
  private final long deadline;
  private long nextBookmark;
  private boolean initialOwed;
  private boolean wrote;

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

  boolean isOver() {
    return !stream.open();
  }

  /** Sends what there is to send. */
  void pump() {
    try {
      sendInitial();
      if (!request.initial().hasNext() && !initialOwed) {
        while (stream.open() && stream.writable() && cursor.poll(BATCH, this::deliver) > 0) {
          // until there is nothing left or the client falls behind
        }
      }
    } catch (ReplicaException e) {
      stream.write(request.encoding().error(WatchErrors.expired(e)));
      stream.finish();
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
    if (cursor.ended()) {
      stream.finish();
    }
  }

  /** Ends the watch if its type is none of these: what is still to be told is told before. */
  void check(Types types) {
    if (!request.isServedBy(types)) {
      pump();
      stream.finish();
    }
  }

  private void sendInitial() {
    while (stream.writable() && request.initial().hasNext()) {
      write(request.encoding().initial(request.initial().next()));
    }
    if (initialOwed && !request.initial().hasNext() && stream.writable()) {
      initialOwed = false;
      write(request.encoding().bookmark(request.afterRevision(), true));
    }
  }

  private void deliver(WatchEvent event) {
    var kind = WatchFilter.kind(event, request.selection());
    if (kind != null) {
      write(request.encoding().frame(kind, event));
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
    } else if (request.bookmarks() && now >= nextBookmark && !initialOwed) {
      nextBookmark = bookmarkAfter(now);
      if (stream.writable() && !request.initial().hasNext()) {
        pump();
        stream.write(request.encoding().bookmark(cursor.position(), false));
        stream.flush();
      }
    }
  }

  void finish() {
    stream.finish();
  }
}
