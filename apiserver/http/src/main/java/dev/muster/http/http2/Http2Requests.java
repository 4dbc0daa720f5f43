package dev.muster.http.http2;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2EventAdapter;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Stream;

/** Assembles requests from the frames of one connection. Only its event loop uses it. */
final class Http2Requests extends Http2EventAdapter {
  private final Http2Session session;

  Http2Requests(Http2Session session) {
    this.session = session;
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
      boolean endOfStream) {
    onHeadersRead(ctx, streamId, headers, padding, endOfStream);
  }

  @Override
  public void onHeadersRead(
      ChannelHandlerContext ctx,
      int streamId,
      Http2Headers headers,
      int padding,
      boolean endOfStream) {
    var stream = session.connection().stream(streamId);
    if (stream == null) {
      return;
    }
    var known = session.exchange(stream);
    if (known != null) {
      // Trailers end the body; their content is not used.
      if (endOfStream && known.intake() != null) {
        known.intake().end();
      }
      return;
    }
    var exchange = new Http2Exchange(session, stream, headers);
    session.accept(exchange);
    if (endOfStream) {
      exchange.begin();
    } else {
      exchange.attend();
      exchange.beginWithBody(exchange.announced());
    }
  }

  @Override
  public int onDataRead(
      ChannelHandlerContext ctx, int streamId, ByteBuf data, int padding, boolean endOfStream) {
    var exchange = session.exchange(session.connection().stream(streamId));
    var intake = exchange == null ? null : exchange.intake();
    boolean later = intake != null && intake.isHandedOn();
    int consumed = padding + (later ? 0 : data.readableBytes());
    if (intake != null) {
      intake.arrived(data);
      if (endOfStream) {
        intake.end();
      }
    }
    return consumed;
  }

  @Override
  public void onStreamClosed(Http2Stream stream) {
    session.streamClosed(stream);
  }
}
