package dev.muster.server.http;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Shared by all event loops: bounds the TLS handshakes under way, by pausing the listeners while
 * all places are taken.
 */
final class HandshakeGate {
  private final int places;
  private final AtomicInteger taken = new AtomicInteger();
  private boolean paused;
  private volatile Runnable resume = () -> {};
  private volatile Runnable pause = () -> {};

  HandshakeGate(int places) {
    this.places = places;
  }

  void listeners(Runnable pause, Runnable resume) {
    this.pause = pause;
    this.resume = resume;
  }

  void enter() {
    if (taken.incrementAndGet() >= places) {
      update();
    }
  }

  void leave() {
    if (taken.getAndDecrement() >= places) {
      update();
    }
  }

  /** Whoever comes last here sees the newest count, so that the listeners cannot stay paused. */
  private synchronized void update() {
    boolean full = full();
    if (full != paused) {
      paused = full;
      (full ? pause : resume).run();
    }
  }

  boolean full() {
    return taken.get() >= places;
  }

  int taken() {
    return taken.get();
  }
}
