package dev.muster.server.http;

import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;

/**
 * Owned by one event loop: what the client of a WebSocket sends. Pings are answered, a close ends
 * the stream, the rest is ignored; too much of any ends the connection.
 */
final class WebSocketMessages extends SimpleChannelInboundHandler<WebSocketFrame> {
  private final Http1Exchange exchange;
  private final FloodLimits limits;
  private long windowStart = System.nanoTime();
  private int frames;

  WebSocketMessages(Http1Exchange exchange, FloodLimits limits) {
    this.exchange = exchange;
    this.limits = limits;
  }

  @Override
  protected void channelRead0(ChannelHandlerContext ctx, WebSocketFrame frame) {
    if (tooMany()) {
      exchange.serving.counters().connectionsFlooding.increment();
      ctx.close();
    } else if (frame instanceof CloseWebSocketFrame) {
      exchange.finish();
    } else if (frame instanceof PingWebSocketFrame) {
      exchange.pong(ByteBufUtil.getBytes(frame.content()));
    }
  }

  private boolean tooMany() {
    if (++frames <= limits.control()) {
      return false;
    }
    long now = System.nanoTime();
    if (now - windowStart > limits.window().toNanos()) {
      windowStart = now;
      frames = 1;
      return false;
    }
    return true;
  }
}
