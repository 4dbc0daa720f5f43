package dev.muster.server.webhook;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2GoAwayFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.handler.codec.http2.Http2StreamChannelBootstrap;
import io.netty.handler.codec.http2.Http2StreamFrameToHttpObjectCodec;
import io.netty.util.ReferenceCountUtil;
import java.util.concurrent.atomic.AtomicInteger;

/** An HTTP/2 connection to a webhook, which many requests share as streams. Thread-safe. */
final class Http2Connection implements WebhookConnection {
  private static final int MOST_HEADERS = 64 * 1024;

  private final Channel channel;
  private final AtomicInteger streams = new AtomicInteger();
  private volatile boolean retired;

  /** The channel's event loop calls it. */
  Http2Connection(Channel channel) {
    this.channel = channel;
    channel
        .pipeline()
        .addLast(
            Http2FrameCodecBuilder.forClient()
                .initialSettings(
                    Http2Settings.defaultSettings()
                        .pushEnabled(false)
                        .maxHeaderListSize(MOST_HEADERS))
                .encoderEnforceMaxConcurrentStreams(true)
                .build(),
            new Http2MultiplexHandler(new Unasked()),
            new Farewell());
  }

  @Override
  public void send(FullHttpRequest request, WebhookExchange exchange) {
    streams.incrementAndGet();
    var collector = new ResponseCollector(reusable -> {});
    new Http2StreamChannelBootstrap(channel)
        .handler(
            new ChannelInitializer<Channel>() {
              @Override
              protected void initChannel(Channel stream) {
                stream.pipeline().addLast(new Http2StreamFrameToHttpObjectCodec(false), collector);
              }
            })
        .open()
        .addListener(
            opened -> {
              if (opened.isSuccess()) {
                begin((Http2StreamChannel) opened.getNow(), collector, request, exchange);
              } else {
                ended();
                ReferenceCountUtil.release(request);
                exchange.fail("http2: client connection lost");
              }
            });
  }

  private void begin(
      Http2StreamChannel stream,
      ResponseCollector collector,
      FullHttpRequest request,
      WebhookExchange exchange) {
    stream.closeFuture().addListener(closed -> ended());
    collector.expect(stream.pipeline().context(collector), exchange);
    exchange.on(stream);
    exchange.answer().whenComplete((answer, failure) -> stream.close());
    stream.writeAndFlush(request);
  }

  private void ended() {
    if (streams.decrementAndGet() == 0 && retired) {
      channel.close();
    }
  }

  @Override
  public boolean isUsable() {
    return !retired && channel.isActive();
  }

  @Override
  public void retire() {
    retired = true;
    if (streams.get() == 0) {
      channel.close();
    }
  }

  /** Closes streams that the webhook opens, because the client requested none. */
  @Sharable
  private static final class Unasked extends ChannelInboundHandlerAdapter {
    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
      ctx.close();
    }
  }

  /** Detects that the webhook will answer no new requests. */
  private final class Farewell extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      if (message instanceof Http2GoAwayFrame) {
        retire();
      }
      ReferenceCountUtil.release(message);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      retired = true;
      ctx.close();
    }
  }
}
