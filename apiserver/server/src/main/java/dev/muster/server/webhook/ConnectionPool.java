package dev.muster.server.webhook;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Safe for any thread. The connections that wait for the next call, and those that any number of
 * calls may share. It holds nothing for an origin to which no connection is open.
 */
final class ConnectionPool {
  private final int mostIdle;
  private final Map<Origin, ArrayDeque<WebhookConnection>> waiting = new HashMap<>();
  private boolean closed;

  /**
   * @param mostIdle connections to one origin that wait for a call; fewer than the calls that may
   *     be under way means handshakes whenever many end at once
   */
  ConnectionPool(int mostIdle) {
    this.mostIdle = mostIdle;
  }

  /** A connection that is open, as far as anybody knows, or null. */
  synchronized @Nullable WebhookConnection take(Origin origin) {
    var kept = waiting.get(origin);
    if (kept == null) {
      return null;
    }
    kept.removeIf(connection -> !connection.isUsable());
    var newest = kept.peekLast();
    if (newest instanceof Http1Connection) {
      kept.removeLast();
    }
    if (kept.isEmpty()) {
      waiting.remove(origin);
    }
    return newest;
  }

  /** Keeps a connection for the next call, unless it is of no use. */
  synchronized void give(Origin origin, WebhookConnection connection) {
    if (closed) {
      connection.retire();
      return;
    }
    if (!connection.isUsable()) {
      return;
    }
    var kept = waiting.computeIfAbsent(origin, key -> new ArrayDeque<>());
    kept.removeIf(other -> !other.isUsable());
    if (kept.contains(connection)) {
      return;
    }
    boolean shared = kept.peekLast() instanceof Http2Connection;
    if (shared || kept.size() >= mostIdle) {
      connection.retire();
    } else {
      kept.addLast(connection);
    }
  }

  /** Forgets a connection that was closed. */
  synchronized void forget(Origin origin, WebhookConnection connection) {
    var kept = waiting.get(origin);
    if (kept != null && kept.remove(connection) && kept.isEmpty()) {
      waiting.remove(origin);
    }
  }

  /** How many connections wait or are shared. */
  synchronized int size() {
    return waiting.values().stream().mapToInt(ArrayDeque::size).sum();
  }

  synchronized void close() {
    closed = true;
    waiting.values().forEach(kept -> kept.forEach(WebhookConnection::retire));
    waiting.clear();
  }
}
