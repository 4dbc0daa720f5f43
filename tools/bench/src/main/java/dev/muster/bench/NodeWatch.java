package dev.muster.bench;

import dev.muster.bench.client.ResponseListener;
import io.netty.buffer.ByteBuf;
import java.util.Locale;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs on its connection's event loop: the watch of one node. Finds the marks of changes in what
 * arrives, whatever the encoding and wherever a piece ends, and keeps nothing of the rest.
 */
final class NodeWatch implements ResponseListener {
  private static final byte MARK = '~';
  private static final int DIGITS = 8;

  /** What becomes of a watch. */
  interface Owner {
    void opened();

    void failed(String why);
  }

  private final Owner owner;
  private final IntConsumer changes;

  /** How many digits of a mark have arrived; below zero outside of marks. */
  private int digits = -1;

  private int number;

  NodeWatch(Owner owner, IntConsumer changes) {
    this.owner = owner;
    this.changes = changes;
  }

  /** How a change can be recognised in an event: by a sign that nothing else in a pod has. */
  static String mark(int change) {
    return String.format(Locale.ROOT, "%c%0" + DIGITS + "d", MARK, change);
  }

  @Override
  public void status(int code) {
    if (code == 200) {
      owner.opened();
    } else {
      owner.failed("a watch was answered " + code);
    }
  }

  @Override
  public void data(ByteBuf piece) {
    int at = piece.readerIndex();
    int end = piece.writerIndex();
    while (at < end) {
      if (digits < 0) {
        int found = piece.indexOf(at, end, MARK);
        if (found < 0) {
          return;
        }
        at = found + 1;
        digits = 0;
        number = 0;
      } else {
        at += take(piece.getByte(at)) ? 1 : 0;
      }
    }
  }

  /** Whether the byte belongs to the mark. */
  private boolean take(byte digit) {
    if (digit < '0' || digit > '9') {
      digits = -1;
      return false;
    }
    number = number * 10 + digit - '0';
    if (++digits == DIGITS) {
      digits = -1;
      changes.accept(number);
    }
    return true;
  }

  @Override
  public void end(@Nullable Throwable failure) {
    owner.failed(failure == null ? "a watch ended" : "a watch failed: " + failure);
  }
}
