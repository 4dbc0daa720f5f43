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
 * Shared by all event loops: the connections of which nothing is known yet. When there are too many
 * of them, or too many connections in all, those go first that have been silent for the longest.
 *
 * <p>Who was heard a moment ago may only be waiting for us, because many come at the same time:
 * then nobody goes, and the listeners pause until there is room.
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
   * @param graceNanos how long a connection may be silent before its place is another's
   * @param closed counts those that had to go
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

  /** Takes in a connection that was just accepted, at the cost of others if need be. */
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

  /** The client has sent something. */
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

  /** The connection is known from now on, or gone. */
  synchronized void leave(UnauthenticatedConnection connection) {
    if (connection.stage != UnauthenticatedConnection.Stage.LEFT) {
      remove(connection);
      connection.stage = UnauthenticatedConnection.Stage.LEFT;
      update();
    }
  }

  /** Makes room for one more connection, whatever it is; false when all others are known. */
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

  /** Called from time to time, for silence grows by itself. */
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

  /** Whoever comes last here sees the newest count, so that the listeners cannot stay paused. */
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

  /** How many handshakes are not finished. */
  synchronized int handshakes() {
    return handshakes.size();
  }
}
