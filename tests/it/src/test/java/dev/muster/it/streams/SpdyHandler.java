package dev.muster.it.streams;

import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.spdy.DefaultSpdyDataFrame;
import io.netty.handler.codec.spdy.DefaultSpdySynReplyFrame;
import io.netty.handler.codec.spdy.SpdyDataFrame;
import io.netty.handler.codec.spdy.SpdyFrame;
import io.netty.handler.codec.spdy.SpdyHeaders;
import io.netty.handler.codec.spdy.SpdyPingFrame;
import io.netty.handler.codec.spdy.SpdySynStreamFrame;

/** A connection that speaks SPDY, the server's side. */
abstract class SpdyHandler extends SimpleChannelInboundHandler<SpdyFrame> {
  /** A stream that the client has opened, and what it says of it. */
  abstract void opened(ChannelHandlerContext ctx, int stream, SpdyHeaders headers);

  /** Something that the client says on a stream. */
  abstract void said(ChannelHandlerContext ctx, int stream, byte[] bytes, boolean last);

  @Override
  protected void channelRead0(ChannelHandlerContext ctx, SpdyFrame frame) {
    switch (frame) {
      case SpdySynStreamFrame syn -> {
        var reply = new DefaultSpdySynReplyFrame(syn.streamId());
        // Without any header there would be no block of headers, which Go's clients wait for.
        reply.headers().add("x", "y");
        ctx.writeAndFlush(reply);
        opened(ctx, syn.streamId(), syn.headers());
        if (syn.isLast()) {
          said(ctx, syn.streamId(), new byte[0], true);
        }
      }
      case SpdyDataFrame data ->
          said(ctx, data.streamId(), ByteBufUtil.getBytes(data.content()), data.isLast());
      case SpdyPingFrame ping -> ctx.writeAndFlush(ping);
      default -> {
        // Windows and resets: nothing to do here.
      }
    }
  }

  static void say(ChannelHandlerContext ctx, int stream, byte[] bytes, boolean last) {
    var frame = new DefaultSpdyDataFrame(stream, Unpooled.wrappedBuffer(bytes));
    frame.setLast(last);
    ctx.writeAndFlush(frame);
  }
}
