package dev.muster.server.http.listen;

import dev.muster.server.http.limits.ConnectionLimits;
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
final class Newcomers {
  private final ConnectionLimits limits;
  private final long graceNanos;
  private final LongSupplier nanoTime;
  private final LongAdder closed;
  private final SequencedSet<Newcomer> handshakes = new LinkedHashSet<>();
  private final SequencedSet<Newcomer> strangers = new LinkedHashSet<>();
  private final Map<Object, SequencedSet<Newcomer>> addresses = new HashMap<>();
  private Runnable pause = () -> {};
  private Runnable resume = () -> {};
  private boolean paused;

  /**
   * @param graceNanos how long a connection may be silent before its place is another's
   * @param closed counts those that had to go
   */
  Newcomers(ConnectionLimits limits, long graceNanos, LongSupplier nanoTime, LongAdder closed) {
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
  synchronized void enter(Newcomer newcomer) {
    handshakes.add(newcomer);
    var neighbours = addresses.computeIfAbsent(newcomer.address, address -> new LinkedHashSet<>());
    neighbours.add(newcomer);
    if (neighbours.size() > limits.handshakesPerAddress()) {
      closeSilent(neighbours.iterator());
    }
    makeRoom();
  }

  /** The client has sent something. */
  synchronized void heard(Newcomer newcomer) {
    if (newcomer.isHeard(nanoTime.getAsLong())) {
      handshakes.addLast(newcomer);
      var neighbours = addresses.get(newcomer.address);
      if (neighbours != null) {
        neighbours.addLast(newcomer);
      }
    }
  }

  /** The handshake is finished. */
  synchronized void handshaken(Newcomer newcomer) {
    if (newcomer.stage == Newcomer.Stage.HANDSHAKE) {
      remove(newcomer);
      newcomer.stage = Newcomer.Stage.STRANGER;
      strangers.add(newcomer);
      update();
    }
  }

  /** The connection is known from now on, or gone. */
  synchronized void leave(Newcomer newcomer) {
    if (newcomer.stage != Newcomer.Stage.LEFT) {
      remove(newcomer);
      newcomer.stage = Newcomer.Stage.LEFT;
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

  private boolean closeSilent(Iterator<Newcomer> oldestFirst) {
    var oldest = oldestFirst.next();
    if (nanoTime.getAsLong() - oldest.lastHeard < graceNanos) {
      return false;
    }
    close(oldest);
    return true;
  }

  private void close(Newcomer newcomer) {
    remove(newcomer);
    newcomer.stage = Newcomer.Stage.LEFT;
    closed.increment();
    newcomer.close.run();
  }

  private void remove(Newcomer newcomer) {
    handshakes.remove(newcomer);
    strangers.remove(newcomer);
    addresses.computeIfPresent(
        newcomer.address,
        (address, neighbours) -> {
          neighbours.remove(newcomer);
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

  private static @Nullable Newcomer first(SequencedSet<Newcomer> set) {
    return set.isEmpty() ? null : set.getFirst();
  }

  /** How many handshakes are not finished. */
  synchronized int handshakes() {
    return handshakes.size();
  }
}
