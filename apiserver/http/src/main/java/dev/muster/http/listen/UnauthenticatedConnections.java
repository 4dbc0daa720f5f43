package dev.muster.http.listen;

import dev.muster.http.limits.ConnectionLimits;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.SequencedSet;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * All connections without an authenticated user. All event loops share it. When there are too many
 * of them, or too many connections in all, those that have been silent for the longest are closed.
 *
 * <p>A connection that sent bytes a moment ago may only wait for the server, because many clients
 * come at the same time. Then no connection is closed, and the listeners pause until there is room.
 */
final class UnauthenticatedConnections {
  private final ConnectionLimits limits;
  private final long graceNanos;
  private final LongSupplier nanoTime;
  private final LongAdder closed;
  private final SequencedSet<UnauthenticatedConnection> handshakes = new LinkedHashSet<>();
  private final SequencedSet<UnauthenticatedConnection> strangers = new LinkedHashSet<>();
  private final Map<Object, SequencedSet<UnauthenticatedConnection>> addresses = new HashMap<>();
  private Runnable pause = () -> {};
  private Runnable resume = () -> {};
  private boolean paused;

  /**
   * @param graceNanos how long a connection may be silent before it can be closed for another
   * @param closed counts the closed connections
   */
  UnauthenticatedConnections(
      ConnectionLimits limits, long graceNanos, LongSupplier nanoTime, LongAdder closed) {
    this.closed = closed;
    this.limits = limits;
    this.graceNanos = graceNanos;
    this.nanoTime = nanoTime;
  }

  synchronized void listeners(Runnable pause, Runnable resume) {
    this.pause = pause;
    this.resume = resume;
  }

  /** Adds an accepted connection, and closes others if there are too many. */
  synchronized void enter(UnauthenticatedConnection connection) {
    handshakes.add(connection);
    var neighbours =
        addresses.computeIfAbsent(connection.address, address -> new LinkedHashSet<>());
    neighbours.add(connection);
    if (neighbours.size() > limits.handshakesPerAddress()) {
      closeSilent(neighbours.iterator());
    }
    makeRoom();
  }

  /** The client has sent bytes. */
  synchronized void heard(UnauthenticatedConnection connection) {
    if (connection.isHeard(nanoTime.getAsLong())) {
      handshakes.addLast(connection);
      var neighbours = addresses.get(connection.address);
      if (neighbours != null) {
        neighbours.addLast(connection);
      }
    }
  }

  /** The handshake is finished. */
  synchronized void handshaken(UnauthenticatedConnection connection) {
    if (connection.stage == UnauthenticatedConnection.Stage.HANDSHAKE) {
      remove(connection);
      connection.stage = UnauthenticatedConnection.Stage.STRANGER;
      strangers.add(connection);
      update();
    }
  }

  /** The connection is authenticated or closed. */
  synchronized void leave(UnauthenticatedConnection connection) {
    if (connection.stage != UnauthenticatedConnection.Stage.LEFT) {
      remove(connection);
      connection.stage = UnauthenticatedConnection.Stage.LEFT;
      update();
    }
  }

  /** Makes room for one more connection; false when all others are authenticated. */
  synchronized boolean closeOldest() {
    var oldest = first(handshakes);
    if (oldest == null) {
      oldest = first(strangers);
    }
    if (oldest == null) {
      return false;
    }
    close(oldest);
    return true;
  }

  /** Called periodically, because the time of silence grows without events. */
  synchronized void tick() {
    if (paused) {
      makeRoom();
    }
  }

  private void makeRoom() {
    while (handshakes.size() > limits.handshakes()) {
      if (!closeSilent(handshakes.iterator())) {
        break;
      }
    }
    update();
  }

  private boolean closeSilent(Iterator<UnauthenticatedConnection> oldestFirst) {
    var oldest = oldestFirst.next();
    if (nanoTime.getAsLong() - oldest.lastHeard < graceNanos) {
      return false;
    }
    close(oldest);
    return true;
  }

  private void close(UnauthenticatedConnection connection) {
    remove(connection);
    connection.stage = UnauthenticatedConnection.Stage.LEFT;
    closed.increment();
    connection.close.run();
  }

  private void remove(UnauthenticatedConnection connection) {
    handshakes.remove(connection);
    strangers.remove(connection);
    addresses.computeIfPresent(
        connection.address,
        (address, neighbours) -> {
          neighbours.remove(connection);
          return neighbours.isEmpty() ? null : neighbours;
        });
  }

  /** Each caller compares with the newest count, so that the listeners cannot stay paused. */
  private void update() {
    boolean full = handshakes.size() > limits.handshakes();
    if (full != paused) {
      paused = full;
      (full ? pause : resume).run();
    }
  }

  private static @Nullable UnauthenticatedConnection first(
      SequencedSet<UnauthenticatedConnection> set) {
    return set.isEmpty() ? null : set.getFirst();
  }

  /** The number of unfinished handshakes. */
  synchronized int handshakes() {
    return handshakes.size();
  }
}
