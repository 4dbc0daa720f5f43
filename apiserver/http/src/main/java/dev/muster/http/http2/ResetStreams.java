package dev.muster.http.http2;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2LocalFlowController;
import java.util.LinkedHashSet;

/**
 * Owned by one event loop: the streams of a connection that were reset here last. What a client had
 * sent by then, or had not stopped sending, still arrives and breaks no rule (RFC 9113, 5.1): it is
 * dropped, and only the window of the connection hears of it.
 */
final class ResetStreams {
  /** More than a client may have open; those before are forgotten. */
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

  /** The client may send as many bytes on other streams at once. */
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
