package dev.muster.wire;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * A pool of byte buffers of the usual size for reuse. A request has a thread of its own, so buffers
 * per thread would not be reused. Thread-safe.
 */
public final class BufferPool {
  private static final int USUAL = 4 * 1024;
  private static final int LARGEST = 256 * 1024;
  private static final int PLACES =
      Integer.highestOneBit(Math.min(16, Runtime.getRuntime().availableProcessors())) * 2;
  private static final AtomicReferenceArray<Bytes> SPARE = new AtomicReferenceArray<>(PLACES);

  private BufferPool() {}

  /** An empty buffer for the caller's exclusive use. */
  public static Bytes take() {
    var spare = SPARE.getAndSet(place(), null);
    return spare == null ? new Bytes(USUAL) : spare;
  }

  /**
   * A copy of the buffer's content; the buffer returns to the pool, so the caller must not use it
   * again.
   */
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
