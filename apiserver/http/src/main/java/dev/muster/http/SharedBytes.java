package dev.muster.http;

import java.util.Arrays;
import java.util.List;

/**
 * A sequence of bytes that other responses share: it is never copied before it is sent, and never
 * changed. One thread at a time uses it. Sent bytes are removed.
 */
public final class SharedBytes {
  private static final byte[] SENT = new byte[0];

  private byte[][] arrays;
  private int[] ends;

  /** The start of the unsent rest of each piece. */
  private int[] starts;

  private int first;
  private int count;
  private long left;

  public SharedBytes() {
    this(2);
  }

  /**
   * @param expected about how many pieces there will be
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

  /** The number of bytes that are left to send. */
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

  /** Adds the unsent bytes of another sequence. */
  public void addAll(SharedBytes other) {
    for (int i = other.first; i < other.count; i++) {
      add(other.arrays[i], other.starts[i], other.ends[i] - other.starts[i]);
    }
  }

  /** The unsent bytes as one array. */
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

  /** Sends and removes that many of the unsent bytes. */
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

  /** Takes bytes from the beginning of a piece, and returns how many. */
  public interface Taker {
    int take(byte[] array, int from, int to);
  }

  /** Offers the rest of the first piece to the taker, and removes the bytes that it takes. */
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

  /** Passes all unsent bytes to the sink, piece by piece, without removing them. */
  public void forEach(Sink sink) {
    for (int i = first; i < count; i++) {
      sink.bytes(arrays[i], starts[i], ends[i] - starts[i]);
    }
  }

  /** Receives bytes. It must not keep or change the array. */
  public interface Sink {
    void bytes(byte[] array, int offset, int length);
  }
}
