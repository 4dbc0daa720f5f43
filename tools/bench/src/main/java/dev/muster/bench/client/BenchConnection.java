package dev.muster.bench.client;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http2.AbstractHttp2ConnectionHandlerBuilder;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameAdapter;
import io.netty.handler.codec.http2.Http2FrameListener;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2Stream;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/**
 * Everything in this class runs on the connection's event loop. One HTTP/2 connection with as
 * little machinery as the protocol allows, because the client shares the machine with the server
 * that it measures: no channel per stream, large windows, one flush per read.
 */
public final class BenchConnection extends Http2ConnectionHandler {
  private static final int STREAM_WINDOW = 16 << 20;
  private static final int CONNECTION_WINDOW = 256 << 20;

  private final Http2Connection.PropertyKey exchangeKey;
  private final Runnable onReady;
  private @Nullable ChannelHandlerContext context;
  private boolean ready;

  private BenchConnection(
      Http2ConnectionDecoder decoder,
      Http2ConnectionEncoder encoder,
      Http2Settings settings,
      Runnable onReady) {
    super(decoder, encoder, settings);
    this.exchangeKey = connection().newKey();
    this.onReady = onReady;
  }

  /** A handler for a channel with TLS; the task runs when the server has sent its settings. */
  static BenchConnection create(Runnable onReady) {
    var frames = new Frames();
    var connection = new Builder(onReady).frameListener(frames).build();
    frames.owner = connection;
    return connection;
  }

  public EventLoop eventLoop() {
    return current().channel().eventLoop();
  }

  boolean open() {
    return context != null
        && current().channel().isActive()
        && !connection().goAwayReceived()
        && !connection().goAwaySent();
  }

  /** Sends with the next flush, which follows every read and every {@link #flushNow}. */
  public void send(PreparedRequest request, ResponseListener exchange) {
    var ctx = current();
    int id = connection().local().incrementAndGetNextStreamId();
    boolean noBody = request.body() == null;
    var promise = ctx.newPromise();
    encoder().writeHeaders(ctx, id, request.headers(), 0, noBody, promise);
    var stream = connection().stream(id);
    if (stream == null) {
      exchange.end(promise.cause() == null ? new ClosedChannelException() : promise.cause());
      return;
    }
    stream.setProperty(exchangeKey, exchange);
    if (!noBody) {
      encoder()
          .writeData(ctx, id, Unpooled.wrappedBuffer(request.body()), 0, true, ctx.newPromise());
    }
  }

  public void flushNow() {
    flush(current());
  }

  public void closeNow() {
    current().close();
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) throws Exception {
    context = ctx;
    super.handlerAdded(ctx);
  }

  @Override
  protected void onConnectionError(
      ChannelHandlerContext ctx, boolean outbound, Throwable cause, Http2Exception http2Ex) {
    ctx.close();
  }

  @Override
  public void onError(ChannelHandlerContext ctx, boolean outbound, Throwable cause) {
    if (cause instanceof Http2Exception failure && Http2Exception.isStreamError(failure)) {
      super.onError(ctx, outbound, cause);
    } else {
      ctx.close();
    }
  }

  private void settled(ChannelHandlerContext ctx) throws Http2Exception {
    if (!ready) {
      ready = true;
      connection()
          .local()
          .flowController()
          .incrementWindowSize(connection().connectionStream(), CONNECTION_WINDOW - 65_535);
      flush(ctx);
      onReady.run();
    }
  }

  private ChannelHandlerContext current() {
    if (context == null) {
      throw new IllegalStateException("not part of a channel");
    }
    return context;
  }

  private @Nullable ResponseListener exchange(Http2Stream stream) {
    return stream.getProperty(exchangeKey);
  }

  /** Hands what arrives to the exchange of its stream. */
  private static final class Frames extends Http2FrameAdapter {
    private @Nullable BenchConnection owner;

    private @Nullable ResponseListener exchange(int streamId) {
      var connection = owner == null ? null : owner.connection().stream(streamId);
      return connection == null || owner == null ? null : owner.exchange(connection);
    }

    @Override
    public void onSettingsRead(ChannelHandlerContext ctx, Http2Settings settings)
        throws Http2Exception {
      if (owner != null) {
        owner.settled(ctx);
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
        boolean endStream) {
      headers(streamId, headers, endStream);
    }

    @Override
    public void onHeadersRead(
        ChannelHandlerContext ctx,
        int streamId,
        Http2Headers headers,
        int padding,
        boolean endStream) {
      headers(streamId, headers, endStream);
    }

    private void headers(int streamId, Http2Headers headers, boolean endStream) {
      var exchange = exchange(streamId);
      if (exchange == null) {
        return;
      }
      if (headers.status() != null) {
        exchange.status(Integer.parseInt(headers.status().toString()));
      }
      if (endStream) {
        finish(streamId, exchange, null);
      }
    }

    @Override
    public int onDataRead(
        ChannelHandlerContext ctx, int streamId, ByteBuf data, int padding, boolean endOfStream) {
      int size = data.readableBytes() + padding;
      var exchange = exchange(streamId);
      if (exchange != null) {
        exchange.data(data);
        if (endOfStream) {
          finish(streamId, exchange, null);
        }
      }
      return size;
    }

    @Override
    public void onRstStreamRead(ChannelHandlerContext ctx, int streamId, long errorCode) {
      var exchange = exchange(streamId);
      if (exchange != null) {
        finish(
            streamId, exchange, new Http2Exception(Http2Error.valueOf(errorCode), "stream reset"));
      }
    }

    private void finish(int streamId, ResponseListener exchange, @Nullable Throwable failure) {
      if (owner != null) {
        var stream = owner.connection().stream(streamId);
        if (stream != null) {
          stream.removeProperty(owner.exchangeKey);
        }
      }
      exchange.end(failure);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) throws Exception {
    connection()
        .forEachActiveStream(
            stream -> {
              ResponseListener exchange = stream.removeProperty(exchangeKey);
              if (exchange != null) {
                exchange.end(new ClosedChannelException());
              }
              return true;
            });
    super.channelInactive(ctx);
  }

  /** Netty's builder, with our settings. */
  private static final class Builder
      extends AbstractHttp2ConnectionHandlerBuilder<BenchConnection, Builder> {
    private final Runnable onReady;

    Builder(Runnable onReady) {
      this.onReady = onReady;
      server(false);
      initialSettings(
          Http2Settings.defaultSettings()
              .pushEnabled(false)
              .initialWindowSize(STREAM_WINDOW)
              .maxHeaderListSize(64 << 10));
      gracefulShutdownTimeoutMillis(0);
    }

    @Override
    public Builder frameListener(Http2FrameListener listener) {
      return super.frameListener(listener);
    }

    @Override
    public BenchConnection build() {
      return super.build();
    }

    @Override
    protected BenchConnection build(
        Http2ConnectionDecoder decoder, Http2ConnectionEncoder encoder, Http2Settings settings) {
      return new BenchConnection(decoder, encoder, settings, onReady);
    }
  }
}
