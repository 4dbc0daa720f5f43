package dev.muster.http;

import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A response body that is still being written, used on the connection's event loop only. Writes are
 * buffered by the connection; {@link #writable} turns false while the client does not keep up.
 */
public interface HttpStream {
  boolean writable();

  boolean open();

  /** Queues one shared piece, never copied or changed; nothing is sent before {@link #flush}. */
  void write(byte[] piece);

  /** Queues shared pieces as one; they are the stream's from then on. */
  void write(SharedBytes sharedBytes);

  /**
   * Has something made elsewhere, as soon as there is room for a part among all that waits to be
   * sent, and hands it over on the event loop, unless the stream is over by then. Nothing may be
   * written meanwhile. When it cannot be made the stream is cut off.
   */
  <T> void make(Supplier<T> maker, Consumer<T> then);

  /** Sends what was queued; flushes of one connection in one event loop turn are merged. */
  void flush();

  /** Ends the body properly. */
  void finish();

  /** Cuts the body off, so that the client notices that it is not whole. */
  void abort();

  /** Runs on the event loop each time the stream becomes writable again. */
  void onWritable(Runnable task);

  /** Runs on the event loop once, when the stream is over for whatever reason. */
  void onClose(Runnable task);
}
