package dev.muster.server.webhook;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Keeps idle connections for the next call, and HTTP/2 connections that calls share. Thread-safe.
 * It stores nothing for an origin without open connections.
 */
final class ConnectionPool {
  private final int mostIdle;
  private final Map<Origin, ArrayDeque<WebhookConnection>> waiting = new HashMap<>();
  private boolean closed;

  /**
   * @param mostIdle idle connections to one origin; a value below the number of concurrent calls
   *     causes new handshakes whenever many calls end at once
   */
  ConnectionPool(int mostIdle) {
    this.mostIdle = mostIdle;
  }

  /** A connection that was open when last seen, or null. */
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

  /** Keeps a connection for the next call, unless it is unusable. */
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

  /** Removes a closed connection. */
  synchronized void forget(Origin origin, WebhookConnection connection) {
    var kept = waiting.get(origin);
    if (kept != null && kept.remove(connection) && kept.isEmpty()) {
      waiting.remove(origin);
    }
  }

  /** The number of idle or shared connections. */
  synchronized int size() {
    return waiting.values().stream().mapToInt(ArrayDeque::size).sum();
  }

  synchronized void close() {
    closed = true;
    waiting.values().forEach(kept -> kept.forEach(WebhookConnection::retire));
    waiting.clear();
  }
}
