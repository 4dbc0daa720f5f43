package dev.muster.http.http2;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2LocalFlowController;
import java.util.LinkedHashSet;

/**
 * The streams that the server has reset most recently. Only the event loop of the connection uses
 * it. Frames that the client sent before it learned of the reset still arrive, and break no rule
 * (RFC 9113, 5.1). They are dropped and only count against the window of the connection.
 */
final class ResetStreams {
  /** More than a client may have open at once; older ones are forgotten. */
  private static final int REMEMBERED = 1024;

  private final LinkedHashSet<Integer> ids = new LinkedHashSet<>();
  private final Http2LocalFlowController flow;

  ResetStreams(Http2LocalFlowController flow) {
    this.flow = flow;
  }

  void add(int streamId) {
    if (ids.add(streamId) && ids.size() > REMEMBERED) {
      ids.removeFirst();
    }
  }

  boolean contains(int streamId) {
    return !ids.isEmpty() && ids.contains(streamId);
  }

  /**
   * Returns the bytes to the connection's window, so that the client may send them on other
   * streams.
   */
  void discard(int streamId, ByteBuf data, int padding, boolean endOfStream) throws Http2Exception {
    flow.receiveFlowControlledFrame(null, data, padding, endOfStream);
    ended(streamId, endOfStream);
  }

  void ended(int streamId, boolean endOfStream) {
    if (endOfStream) {
      ids.remove(streamId);
    }
  }
}
