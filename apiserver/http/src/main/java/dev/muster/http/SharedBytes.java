package dev.muster.http;

import java.util.Arrays;
import java.util.List;

/**
 * Belongs to one thread at a time: bytes in a row that are shared with others, and so are never
 * copied before they are sent and never changed. What was sent is gone from it.
 */
public final class SharedBytes {
  private static final byte[] SENT = new byte[0];

  private byte[][] arrays;
  private int[] ends;

  /** Where the rest of the first piece begins, and of every other one. */
  private int[] starts;

  private int first;
  private int count;
  private long left;

  public SharedBytes() {
    this(2);
  }

  /**
   * @param expected how many pieces there will be, more or less
   */
  public SharedBytes(int expected) {
    arrays = new byte[expected][];
    starts = new int[expected];
    ends = new int[expected];
  }

  public SharedBytes(List<byte[]> shared) {
    this(shared.size());
    shared.forEach(this::add);
  }

  public static SharedBytes of(byte[] whole) {
    var sharedBytes = new SharedBytes(1);
    sharedBytes.add(whole);
    return sharedBytes;
  }

  /** How many bytes are left to send. */
  public long left() {
    return left;
  }

  public void add(byte[] piece) {
    add(piece, 0, piece.length);
  }

  public void add(byte[] array, int offset, int length) {
    if (count == arrays.length) {
      makeRoom();
    }
    arrays[count] = array;
    starts[count] = offset;
    ends[count++] = offset + length;
    left += length;
  }

  private void makeRoom() {
    int kept = count - first;
    int size = Math.max(4, 2 * kept);
    arrays = Arrays.copyOf(Arrays.copyOfRange(arrays, first, count), size);
    starts = Arrays.copyOf(Arrays.copyOfRange(starts, first, count), size);
    ends = Arrays.copyOf(Arrays.copyOfRange(ends, first, count), size);
    first = 0;
    count = kept;
  }

  /** Adds what is left of another one. */
  public void addAll(SharedBytes other) {
    for (int i = other.first; i < other.count; i++) {
      add(other.arrays[i], other.starts[i], other.ends[i] - other.starts[i]);
    }
  }

  /** What is left, in one row. */
  public byte[] toArray() {
    var whole = new byte[Math.toIntExact(left)];
    int at = 0;
    for (int i = first; i < count; i++) {
      int length = ends[i] - starts[i];
      System.arraycopy(arrays[i], starts[i], whole, at, length);
      at += length;
    }
    return whole;
  }

  /** Sends that many bytes, of those that are left. */
  public void copyTo(Sink out, int bytes) {
    int wanted = bytes;
    while (wanted > 0) {
      int start = starts[first];
      int some = Math.min(wanted, ends[first] - start);
      out.bytes(arrays[first], start, some);
      wanted -= some;
      starts[first] += some;
      if (starts[first] == ends[first]) {
        arrays[first] = SENT;
        first++;
      }
    }
    left -= bytes;
    if (left == 0) {
      first = 0;
      count = 0;
    }
  }

  /** Takes bytes from the beginning of a piece, and says how many. */
  public interface Taker {
    int take(byte[] array, int from, int to);
  }

  /** Gives what is left of the first piece to someone who takes some of it. */
  public void take(Taker taker) {
    if (left > 0) {
      while (starts[first] == ends[first]) {
        first++;
      }
      int taken = taker.take(arrays[first], starts[first], ends[first]);
      starts[first] += taken;
      left -= taken;
      if (left == 0) {
        first = 0;
        count = 0;
      }
    }
  }

  /** Gives what is left to someone who looks at it piece by piece. */
  public void forEach(Sink sink) {
    for (int i = first; i < count; i++) {
      sink.bytes(arrays[i], starts[i], ends[i] - starts[i]);
    }
  }

  /** Takes bytes, without keeping the array or changing it. */
  public interface Sink {
    void bytes(byte[] array, int offset, int length);
  }
}
