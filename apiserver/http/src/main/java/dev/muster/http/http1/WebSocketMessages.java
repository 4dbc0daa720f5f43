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
 * Owned by one event loop: what the client of a WebSocket sends. Netty has read the frames by then
 * and put the fragments of messages together. Pings are answered, a close ends the stream; messages
 * are handed on if somebody wants them, else ignored. Too many frames that nobody wants end the
 * connection, and so does too long a message.
 */
final class WebSocketMessages extends SimpleChannelInboundHandler<WebSocketFrame> {
  /** Of one message that is handed on; kubectl's have some 32 KiB. */
  static final int LONGEST = 1 << 20;

  private final Http1Exchange exchange;
  private final ConnectionContext connectionContext;
  private final @Nullable RequestBodyStream messages;
  private long windowStart = System.nanoTime();
  private int frames;

  /**
   * @param messages takes what they say; null when nobody wants to hear it
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
