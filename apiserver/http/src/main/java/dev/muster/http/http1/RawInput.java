package dev.muster.http.http1;

import dev.muster.http.exchange.RequestBodyStream;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;

/**
 * Passes the client's bytes of a tunnel on unparsed. Only the event loop of the connection uses it.
 */
final class RawInput extends ChannelInboundHandlerAdapter {
  private final RequestBodyStream input;

  RawInput(RequestBodyStream input) {
    this.input = input;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    try {
      if (message instanceof ByteBuf bytes) {
        input.arrived(bytes);
      }
    } finally {
      ReferenceCountUtil.release(message);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    input.end();
    ctx.fireChannelInactive();
  }
}
