package dev.muster.http.http2;

import dev.muster.http.limits.FloodLimits;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Flags;
import io.netty.handler.codec.http2.Http2FrameListener;
import io.netty.handler.codec.http2.Http2FrameListenerDecorator;
import io.netty.handler.codec.http2.Http2FrameReader;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Counts the frames of one HTTP/2 connection that are cheap for the client and expensive for the
 * server, before any other handler sees them. It closes the connection when there are too many.
 * Only the event loop of the connection uses it.
 */
final class FloodGuard implements Http2FrameReader {
  private static final int TINY_WINDOW = 64;
  private final Http2FrameReader reader;
  private final FloodLimits limits;
  private IntPredicate answering = id -> false;
  private @Nullable ResetStreams resetHere;
  private @Nullable Http2FrameListener watched;
  private @Nullable Http2FrameListener watching;
  private long windowStart = System.nanoTime();
  private int earlyResets;
  private int resets;
  private int control;
  private int emptyData;
  private int streamErrors;
  private int tinyWindowUpdates;

  FloodGuard(Http2FrameReader reader, FloodLimits limits) {
    this.reader = reader;
    this.limits = limits;
  }

  /** Sets the test whether a stream is open and its response has begun. */
  void answering(IntPredicate answering) {
    this.answering = answering;
  }

  /** Sets the streams that the server has reset. Frames for them are not the client's fault. */
  void resetHere(ResetStreams streams) {
    this.resetHere = streams;
  }

  private boolean isResetHere(int streamId) {
    return resetHere != null && resetHere.contains(streamId);
  }

  @Override
  public void readFrame(ChannelHandlerContext ctx, ByteBuf input, Http2FrameListener listener)
      throws Http2Exception {
    var target = watching;
    if (listener != watched || target == null) {
      target = new Counting(listener);
      watched = listener;
      watching = target;
    }
    reader.readFrame(ctx, input, target);
  }

  /** Counts a request that broke the protocol. */
  void streamError() throws Http2Exception {
    streamErrors = count(streamErrors, limits.streamErrors(), "broken requests");
  }

  void refusedStream() throws Http2Exception {
    control = count(control, limits.control(), "refused streams");
  }

  private int count(int soFar, int limit, String what) throws Http2Exception {
    int now = soFar + 1;
    if (now <= limit) {
      return now;
    }
    long time = System.nanoTime();
    if (time - windowStart > limits.window().toNanos()) {
      windowStart = time;
      earlyResets = 0;
      resets = 0;
      control = 0;
      emptyData = 0;
      streamErrors = 0;
      tinyWindowUpdates = 0;
      return 1;
    }
    throw Http2Exception.connectionError(
        Http2Error.ENHANCE_YOUR_CALM, "more than %d %s", limit, what);
  }

  @Override
  public Configuration configuration() {
    return reader.configuration();
  }

  @Override
  public void close() {
    reader.close();
  }

  private final class Counting extends Http2FrameListenerDecorator {
    Counting(Http2FrameListener listener) {
      super(listener);
    }

    @Override
    public int onDataRead(
        ChannelHandlerContext ctx, int streamId, ByteBuf data, int padding, boolean endOfStream)
        throws Http2Exception {
      if (!data.isReadable() && !endOfStream) {
        emptyData = count(emptyData, limits.emptyData(), "empty DATA frames");
      }
      if (resetHere != null && resetHere.contains(streamId)) {
        resetHere.discard(streamId, data, padding, endOfStream);
        return 0;
      }
      return super.onDataRead(ctx, streamId, data, padding, endOfStream);
    }

    @Override
    public void onHeadersRead(
        ChannelHandlerContext ctx,
        int streamId,
        Http2Headers headers,
        int padding,
        boolean endOfStream)
        throws Http2Exception {
      if (!isLate(streamId, endOfStream)) {
        super.onHeadersRead(ctx, streamId, headers, padding, endOfStream);
      }
    }

    @Override
    public void onHeadersRead(
        ChannelHandlerContext ctx,
        int streamId,
        Http2Headers headers,
        int streamDependency,
        short weight,
        boolean exclusive,
        int padding,
        boolean endOfStream)
        throws Http2Exception {
      if (!isLate(streamId, endOfStream)) {
        super.onHeadersRead(
            ctx, streamId, headers, streamDependency, weight, exclusive, padding, endOfStream);
      }
    }

    /** Whether the headers are trailers of a stream that the server has reset. */
    private boolean isLate(int streamId, boolean endOfStream) throws Http2Exception {
      if (resetHere == null || !resetHere.contains(streamId)) {
        return false;
      }
      control = count(control, limits.control(), "control frames");
      resetHere.ended(streamId, endOfStream);
      return true;
    }

    @Override
    public void onPriorityRead(
        ChannelHandlerContext ctx,
        int streamId,
        int streamDependency,
        short weight,
        boolean exclusive)
        throws Http2Exception {
      control = count(control, limits.control(), "control frames");
      super.onPriorityRead(ctx, streamId, streamDependency, weight, exclusive);
    }

    @Override
    public void onRstStreamRead(ChannelHandlerContext ctx, int streamId, long errorCode)
        throws Http2Exception {
      resets = count(resets, limits.resets(), "resets");
      if (!answering.test(streamId) && !isResetHere(streamId)) {
        earlyResets = count(earlyResets, limits.earlyResets(), "early resets");
      }
      super.onRstStreamRead(ctx, streamId, errorCode);
    }

    @Override
    public void onSettingsRead(ChannelHandlerContext ctx, Http2Settings settings)
        throws Http2Exception {
      control = count(control, limits.control(), "control frames");
      super.onSettingsRead(ctx, settings);
    }

    @Override
    public void onPingRead(ChannelHandlerContext ctx, long data) throws Http2Exception {
      control = count(control, limits.control(), "control frames");
      super.onPingRead(ctx, data);
    }

    @Override
    public void onWindowUpdateRead(ChannelHandlerContext ctx, int streamId, int increment)
        throws Http2Exception {
      if (increment < TINY_WINDOW) {
        tinyWindowUpdates =
            count(tinyWindowUpdates, limits.tinyWindowUpdates(), "tiny window updates");
      }
      super.onWindowUpdateRead(ctx, streamId, increment);
    }

    @Override
    public void onUnknownFrame(
        ChannelHandlerContext ctx, byte frameType, int streamId, Http2Flags flags, ByteBuf payload)
        throws Http2Exception {
      control = count(control, limits.control(), "control frames");
      super.onUnknownFrame(ctx, frameType, streamId, flags, payload);
    }
  }
}
