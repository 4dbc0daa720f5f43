package dev.muster.http.listen;

import dev.muster.http.connection.ClientConnection;
import dev.muster.http.limits.HttpTimeouts;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks all connections of an event loop about once a second and ends those that take too long, so
 * that no request needs its own timer. Only that event loop uses it.
 */
final class Watchdog {
  private static final Logger log = LoggerFactory.getLogger(Watchdog.class);
  private final ArrayList<ClientConnection> peers = new ArrayList<>();
  private final UnauthenticatedConnections unidentified;

  Watchdog(EventLoop loop, HttpTimeouts timeouts, UnauthenticatedConnections unidentified) {
    this.unidentified = unidentified;
    long period = Math.clamp(timeouts.shortest().toMillis() / 4, 5, 1000);
    loop.scheduleAtFixedRate(this::tick, period, period, TimeUnit.MILLISECONDS);
  }

  void add(ClientConnection clientConnection) {
    peers.add(clientConnection);
  }

  private void tick() {
    unidentified.tick();
    long now = System.nanoTime();
    for (int i = peers.size() - 1; i >= 0; i--) {
      var clientConnection = peers.get(i);
      if (!clientConnection.channel().isOpen()) {
        var last = peers.removeLast();
        if (last != clientConnection) {
          peers.set(i, last);
        }
        continue;
      }
      try {
        clientConnection.tick(now);
      } catch (RuntimeException | Error e) {
        log.error("could not check the connection from {}", clientConnection.remoteAddress(), e);
        clientConnection.channel().close();
      }
    }
  }
}
