package dev.muster.http.http1;

import dev.muster.http.connection.ConnectionContext;
import dev.muster.http.exchange.RequestBodyStream;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import org.jspecify.annotations.Nullable;

/**
 * Handles the messages of a WebSocket client, after Netty has read frames and joined fragments.
 * Only the event loop of the connection uses it. It answers pings, ends the stream after a close,
 * and passes messages to the consumer, or ignores them if there is none. It closes the connection
 * after too many unwanted frames or a message that is too long.
 */
final class WebSocketMessages extends SimpleChannelInboundHandler<WebSocketFrame> {
  /** The longest message that is passed on; those of kubectl have about 32 KiB. */
  static final int LONGEST = 1 << 20;

  private final Http1Exchange exchange;
  private final ConnectionContext connectionContext;
  private final @Nullable RequestBodyStream messages;
  private long windowStart = System.nanoTime();
  private int frames;

  /**
   * @param messages receives the messages; null to ignore them
   */
  WebSocketMessages(
      Http1Exchange exchange,
      ConnectionContext connectionContext,
      @Nullable RequestBodyStream messages) {
    this.exchange = exchange;
    this.connectionContext = connectionContext;
    this.messages = messages;
  }

  @Override
  protected void channelRead0(ChannelHandlerContext ctx, WebSocketFrame frame) {
    if (isUnwanted(frame) && tooMany()) {
      connectionContext.counters().connectionsFlooding.increment();
      ctx.close();
    } else if (frame instanceof CloseWebSocketFrame) {
      if (messages != null) {
        messages.end();
      }
      exchange.finish();
    } else if (frame instanceof PingWebSocketFrame) {
      exchange.pong(ByteBufUtil.getBytes(frame.content()));
    } else if (messages != null && !(frame instanceof PongWebSocketFrame)) {
      messages.arrived(frame.content());
    }
  }

  private boolean isUnwanted(WebSocketFrame frame) {
    return messages == null
        || frame instanceof PingWebSocketFrame
        || frame instanceof PongWebSocketFrame;
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) throws Exception {
    if (messages != null) {
      messages.fail(0, "the client has gone");
    }
    super.channelInactive(ctx);
  }

  private boolean tooMany() {
    var limits = connectionContext.limits().floods();
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
