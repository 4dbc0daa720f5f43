package dev.muster.http.exchange;

import dev.muster.http.BodyShare;
import dev.muster.http.connection.ClientConnection;
import dev.muster.http.limits.BodyBudget;
import dev.muster.http.limits.HttpTimeouts;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/**
 * A request body in memory, from its first byte until the request is answered. Only the event loop
 * of the connection uses it. It uses memory for the bytes that have arrived, not for the announced
 * length.
 */
final class RequestBody {
  static final byte[] EMPTY = new byte[0];

  /** The share before the handler has named the owner of the body. */
  private static final BodyShare UNCLAIMED = new BodyShare("", false);

  enum Outcome {
    TAKEN,
    TOO_LARGE,
    NO_ROOM
  }

  private final ClientConnection clientConnection;
  private final BodyBudget budget;
  private final int limit;
  private final int announced;
  private final long started = System.nanoTime();
  private BodyShare share = UNCLAIMED;
  private long progressed = started;
  private byte[] bytes = EMPTY;
  private int length;

  /** {@code announced} is the content-length, or -1. */
  RequestBody(ClientConnection clientConnection, BodyBudget budget, int limit, long announced) {
    this.clientConnection = clientConnection;
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
      int capacity = Math.max(length + more, Math.min(limit, bytes.length * 2));
      if (announced >= length + more && announced < capacity) {
        capacity = announced;
      }
      if (!take(capacity - bytes.length)) {
        return Outcome.NO_ROOM;
      }
      bytes = Arrays.copyOf(bytes, capacity);
    }
    data.readBytes(bytes, length, more);
    length += more;
    progressed = System.nanoTime();
    return Outcome.TAKEN;
  }

  private boolean take(int more) {
    if (clientConnection.bodyBytes() + more > budget.perConnection() || !budget.take(share, more)) {
      return false;
    }
    clientConnection.bodyBytes(more);
    return true;
  }

  /**
   * Names the owner of the body; returns false when the budget has no room for the bytes that have
   * arrived.
   */
  boolean claim(BodyShare claimed) {
    int arrived = bytes.length;
    if (arrived > 0 && !budget.take(claimed, arrived)) {
      return false;
    }
    if (arrived > 0) {
      budget.give(share, arrived);
    }
    share = claimed;
    return true;
  }

  /** All bytes that have arrived. They use memory until {@link #release}. */
  byte[] whole() {
    if (length < bytes.length) {
      give(bytes.length - length);
      bytes = Arrays.copyOf(bytes, length);
    }
    return bytes;
  }

  void release() {
    if (bytes.length > 0) {
      give(bytes.length);
    }
    bytes = EMPTY;
    length = 0;
  }

  private void give(int fewer) {
    clientConnection.bodyBytes(-fewer);
    budget.give(share, fewer);
  }

  boolean late(long now, HttpTimeouts timeouts) {
    return now - progressed > timeouts.bodyStall().toNanos()
        || now - started > timeouts.body().toNanos();
  }
}
