package dev.muster.server.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2EventAdapter;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Stream;

/** Owned by one event loop: puts the frames of one connection together to requests. */
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
      // Trailers: they end the body, and nobody asks for them.
      if (endOfStream && known.arriving() != null) {
        known.bodyComplete();
      }
      return;
    }
    var exchange = new Http2Exchange(session, stream, headers);
    session.accept(exchange);
    if (endOfStream) {
      exchange.bodyComplete();
    } else {
      expectBody(exchange);
    }
  }

  private void expectBody(Http2Exchange exchange) {
    var limits = session.serving.limits();
    long announced = announced(exchange);
    if (announced > limits.maxBodyBytes()) {
      tooLarge(exchange);
      return;
    }
    exchange.arriving(new RequestBody(session.serving.bodies(), limits.maxBodyBytes(), announced));
    if ("100-continue".equalsIgnoreCase(exchange.header("expect"))) {
      session.sendContinue(exchange.stream);
    }
  }

  private static long announced(Http2Exchange exchange) {
    var value = exchange.header("content-length");
    try {
      return value == null ? -1 : Long.parseLong(value);
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  private void tooLarge(Http2Exchange exchange) {
    exchange.discardBody();
    exchange.refuse(
        413, "Request entity too large: limit is " + session.serving.limits().maxBodyBytes());
  }

  @Override
  public int onDataRead(
      ChannelHandlerContext ctx, int streamId, ByteBuf data, int padding, boolean endOfStream) {
    int consumed = data.readableBytes() + padding;
    var exchange = session.exchange(session.connection().stream(streamId));
    var body = exchange == null ? null : exchange.arriving();
    if (exchange == null || body == null) {
      return consumed;
    }
    switch (body.append(data)) {
      case TAKEN -> {
        if (endOfStream) {
          exchange.bodyComplete();
        }
      }
      case TOO_LARGE -> tooLarge(exchange);
      case NO_ROOM -> {
        exchange.discardBody();
        exchange.refuse(429, "too many request bodies are arriving at a time");
      }
    }
    return consumed;
  }

  @Override
  public void onStreamClosed(Http2Stream stream) {
    session.streamClosed(stream);
  }
}
