package dev.muster.server.http;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/**
 * Owned by one event loop: a request body that is arriving. Grows with what has arrived, not with
 * what was announced.
 */
final class RequestBody {
  static final byte[] EMPTY = new byte[0];

  enum Outcome {
    TAKEN,
    TOO_LARGE,
    NO_ROOM
  }

  private final BodyBudget budget;
  private final int limit;
  private final int announced;
  private final long started = System.nanoTime();
  private long progressed = started;
  private byte[] bytes = EMPTY;
  private int length;

  /** {@code announced} is the content-length, or -1. */
  RequestBody(BodyBudget budget, int limit, long announced) {
    this.budget = budget;
    this.limit = limit;
    this.announced = (int) Math.min(announced, limit);
  }

  Outcome append(ByteBuf data) {
    int more = data.readableBytes();
    if (more == 0) {
      return Outcome.TAKEN;
    }
    if (more > limit - length) {
      return Outcome.TOO_LARGE;
    }
    if (length + more > bytes.length) {
      int capacity = Math.max(length + more, Math.min(limit, Math.max(4096, bytes.length * 2)));
      if (announced >= length + more && announced < capacity) {
        capacity = announced;
      }
      if (!budget.take(capacity - bytes.length)) {
        return Outcome.NO_ROOM;
      }
      bytes = Arrays.copyOf(bytes, capacity);
    }
    data.readBytes(bytes, length, more);
    length += more;
    progressed = System.nanoTime();
    return Outcome.TAKEN;
  }

  /** The whole body; the budget is free again for others. */
  byte[] finish() {
    byte[] whole = length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
    discard();
    return whole;
  }

  void discard() {
    budget.give(bytes.length);
    bytes = EMPTY;
    length = 0;
  }

  boolean late(long now, HttpTimeouts timeouts) {
    return now - progressed > timeouts.bodyStall().toNanos()
        || now - started > timeouts.body().toNanos();
  }
}
