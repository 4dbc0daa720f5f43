package dev.muster.bench.client;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** Called on the connection's event loop: what comes back for one request. */
public interface ResponseListener {
  void status(int code);

  /** A piece of the body, readable during the call only. */
  void data(ByteBuf piece);

  /** Called once, last; null when the answer is complete. */
  void end(@Nullable Throwable failure);
}
