package dev.muster.http.exchange;

import dev.muster.http.BodyConsumer;
import dev.muster.http.limits.HttpTimeouts;
import io.netty.buffer.ByteBuf;

/**
 * Passes the client's input to a consumer while it arrives, no faster than the consumer takes it.
 * Only the event loop of the connection uses it.
 */
public final class RequestBodyStream {
  private static final int MOST_HELD = 64 * 1024;

  /** Approximate memory of a piece besides its bytes, so that very small pieces count, too. */
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

  /** Passes on bytes that had arrived, and been read from the connection, before. */
  void hand(byte[] begun) {
    if (begun.length > 0) {
      hand(begun, 0);
    }
  }

  /**
   * @param untaken how many of the bytes still count against the connection's input window
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

  /** Whether only the client is being waited for, and for too long. */
  boolean isLate(long now, HttpTimeouts timeouts) {
    return !over && held == 0 && now - progressed > timeouts.bodyStall().toNanos();
  }
}
