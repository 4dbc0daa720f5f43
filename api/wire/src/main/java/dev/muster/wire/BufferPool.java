package dev.muster.wire;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Safe for any thread. A few buffers that have been used and may be used again, already as large as
 * what is usually written. Threads cannot keep their own: a request that writes has a thread for
 * itself.
 */
public final class BufferPool {
  private static final int USUAL = 4 * 1024;
  private static final int LARGEST = 256 * 1024;
  private static final int PLACES =
      Integer.highestOneBit(Math.min(16, Runtime.getRuntime().availableProcessors())) * 2;
  private static final AtomicReferenceArray<Bytes> SPARE = new AtomicReferenceArray<>(PLACES);

  private BufferPool() {}

  /** An empty buffer, which nobody else has. */
  public static Bytes take() {
    var spare = SPARE.getAndSet(place(), null);
    return spare == null ? new Bytes(USUAL) : spare;
  }

  /** What was written, and nobody uses that buffer any more. */
  public static byte[] whole(Bytes used) {
    var bytes = used.toArray();
    if (used.buffer().length <= LARGEST) {
      used.clear();
      SPARE.setRelease(place(), used);
    }
    return bytes;
  }

  private static int place() {
    return (int) Thread.currentThread().threadId() & (PLACES - 1);
  }
}
