package dev.muster.server.http;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Shared by all event loops: bounds the TLS handshakes under way, by pausing the listeners while
 * all places are taken.
 */
final class HandshakeGate {
  private final int places;
  private final AtomicInteger taken = new AtomicInteger();
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
    if (taken.incrementAndGet() == places) {
      pause.run();
    }
  }

  void leave() {
    if (taken.getAndDecrement() == places) {
      resume.run();
    }
  }

  boolean full() {
    return taken.get() >= places;
  }

  int taken() {
    return taken.get();
  }
}
