package dev.muster.http.exchange;

import dev.muster.http.BodyConsumer;
import dev.muster.http.limits.HttpTimeouts;
import io.netty.buffer.ByteBuf;

/**
 * Owned by one event loop: what a client sends, handed on while it arrives and no faster than it is
 * taken.
 */
public final class RequestBodyStream {
  private static final int MOST_HELD = 64 * 1024;

  /** About what a piece takes beside its bytes, so that very small ones count, too. */
  private static final int OVERHEAD = 128;

  private final Exchange exchange;
  private final BodyConsumer consumer;
  private long progressed = System.nanoTime();
  private int held;
  private boolean over;

  public RequestBodyStream(Exchange exchange, BodyConsumer consumer) {
    this.exchange = exchange;
    this.consumer = consumer;
  }

  public void arrived(ByteBuf data) {
    var bytes = new byte[data.readableBytes()];
    data.readBytes(bytes);
    arrived(bytes);
  }

  private void arrived(byte[] bytes) {
    if (over || bytes.length == 0) {
      exchange.inputTaken(bytes.length);
    } else {
      hand(bytes, bytes.length);
    }
  }

  /** Hands on what had arrived before, and was taken from the connection then. */
  void hand(byte[] begun) {
    if (begun.length > 0) {
      hand(begun, 0);
    }
  }

  /**
   * @param untaken how much of it the connection has not been told of
   */
  private void hand(byte[] bytes, int untaken) {
    progressed = System.nanoTime();
    held += bytes.length + OVERHEAD;
    if (held >= MOST_HELD) {
      exchange.pauseInput(true);
    }
    exchange.guarded(
        () ->
            consumer.piece(bytes, () -> exchange.peer.execute(() -> taken(bytes.length, untaken))));
  }

  private void taken(int length, int untaken) {
    held -= length + OVERHEAD;
    progressed = System.nanoTime();
    exchange.inputTaken(untaken);
    if (held < MOST_HELD) {
      exchange.pauseInput(false);
    }
  }

  public void end() {
    if (!over) {
      over = true;
      exchange.guarded(consumer::end);
    }
  }

  public void fail(int status, String message) {
    if (!over) {
      over = true;
      exchange.pauseInput(false);
      exchange.guarded(() -> consumer.failed(status, message));
    }
  }

  /** Whether the client, and nobody else, is waited for longer than it may take. */
  boolean isLate(long now, HttpTimeouts timeouts) {
    return !over && held == 0 && now - progressed > timeouts.bodyStall().toNanos();
  }
}
