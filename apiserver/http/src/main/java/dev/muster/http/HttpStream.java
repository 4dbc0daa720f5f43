package dev.muster.http;

import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A response body that is still being written. Only the connection's event loop uses it. The
 * connection buffers writes; {@link #writable} is false while the client does not keep up.
 */
public interface HttpStream {
  boolean writable();

  boolean open();

  /** Queues one shared piece, which is never copied or changed. Only {@link #flush} sends it. */
  void write(byte[] piece);

  /** Queues shared pieces as one. They belong to the stream from then on. */
  void write(SharedBytes sharedBytes);

  /**
   * Produces data on another thread, once the memory for outgoing data has room for a part, and
   * passes it to the event loop, unless the stream has ended by then. Write nothing meanwhile. If
   * the production fails, the stream is cut off.
   */
  <T> void make(Supplier<T> maker, Consumer<T> then);

  /** Sends queued pieces; flushes of one connection in one event loop turn are merged. */
  void flush();

  /** Ends the body properly. */
  void finish();

  /** Cuts the body off, so that the client notices that it is incomplete. */
  void abort();

  /** Runs on the event loop each time the stream becomes writable again. */
  void onWritable(Runnable task);

  /** Runs once on the event loop when the stream has ended for any reason. */
  void onClose(Runnable task);
}
