package dev.muster.server.webhook;

import io.netty.channel.Channel;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.util.ReferenceCountUtil;

/** An HTTP/1.1 connection to a webhook, which sends one request after another. Thread-safe. */
final class Http1Connection implements WebhookConnection {
  private static final int LONGEST_LINE = 16 * 1024;
  private static final int MOST_HEADERS = 64 * 1024;
  private static final int PIECE = 64 * 1024;

  private final Channel channel;
  private final ResponseCollector collector = new ResponseCollector(this::done);
  private volatile boolean busy;
  private volatile boolean retired;

  /** The channel's event loop calls it. */
  Http1Connection(Channel channel) {
    this.channel = channel;
    channel
        .pipeline()
        .addLast(
            new HttpClientCodec(
                new HttpDecoderConfig()
                    .setMaxInitialLineLength(LONGEST_LINE)
                    .setMaxHeaderSize(MOST_HEADERS)
                    .setMaxChunkSize(PIECE),
                HttpClientCodec.DEFAULT_PARSE_HTTP_AFTER_CONNECT_REQUEST,
                false),
            collector);
  }

  private void done(boolean keepAlive) {
    busy = false;
    if (!keepAlive || retired) {
      retire();
    }
  }

  @Override
  public void send(FullHttpRequest request, WebhookExchange exchange) {
    busy = true;
    exchange.on(channel);
    channel
        .eventLoop()
        .execute(
            () -> {
              var context = channel.pipeline().context(collector);
              if (context == null) {
                ReferenceCountUtil.release(request);
                exchange.fail("EOF");
                return;
              }
              collector.expect(context, exchange);
              channel.writeAndFlush(request);
            });
  }

  @Override
  public boolean isUsable() {
    return !busy && !retired && channel.isActive();
  }

  @Override
  public void retire() {
    retired = true;
    if (!busy) {
      channel.close();
    }
  }
}
