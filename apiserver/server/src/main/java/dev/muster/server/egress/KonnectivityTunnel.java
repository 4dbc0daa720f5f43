package dev.muster.server.egress;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2WindowUpdateFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2FrameStream;
import io.netty.handler.codec.http2.Http2GoAwayFrame;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.util.ReferenceCountUtil;
import java.net.ProtocolException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A connection inside a gRPC stream to a konnectivity proxy, behind a codec for HTTP/2 frames. Only
 * the event loop of the channel uses it. Received bytes are passed on when the channel reads, and
 * only then may the proxy send more.
 */
final class KonnectivityTunnel extends EgressTunnel {
  private static final int PREFIX = 5;
  private static final int LARGEST_MESSAGE = 4 << 20;
  private static final int PIECE = 32 * 1024;

  /** How long a proxy may take to confirm the end of a connection. */
  private static final int GOODBYE_SECONDS = 1;

  private final Http2Streams streams;
  private final long random = ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
  private final ByteBuf partial = Unpooled.buffer();
  private final Deque<byte[]> inbox = new ArrayDeque<>();
  private @Nullable Http2FrameStream stream;
  private String destination = "";
  private long connection;
  private int unacknowledged;
  private boolean wanted;
  private boolean ended;
  private @Nullable ChannelPromise leaving;

  KonnectivityTunnel(SocketAddress proxy, Http2Streams streams, Duration patience) {
    super(proxy, patience);
    this.streams = streams;
  }

  @Override
  void begin(ChannelHandlerContext ctx, String wanted) {
    destination = wanted;
    var opened = streams.newStream();
    stream = opened;
    var headers =
        new DefaultHttp2Headers()
            .method("POST")
            .scheme("http")
            .authority("localhost")
            .path("/ProxyService/Proxy")
            .set("content-type", "application/grpc")
            .set("te", "trailers");
    ctx.write(new DefaultHttp2HeadersFrame(headers, false).stream(opened));
    send(ctx, new ProxyPacket.DialRequest(wanted, random), ctx.newPromise());
    ctx.flush();
  }

  private void send(ChannelHandlerContext ctx, ProxyPacket packet, ChannelPromise promise) {
    var message = packet.encoded();
    var framed = ctx.alloc().buffer(PREFIX + message.length);
    framed.writeByte(0).writeInt(message.length).writeBytes(message);
    ctx.write(new DefaultHttp2DataFrame(framed, false).stream(stream), promise);
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    try {
      switch (message) {
        case Http2DataFrame data -> {
          unacknowledged += data.initialFlowControlledBytes();
          partial.discardReadBytes().writeBytes(data.content());
          packets(ctx);
          deliver(ctx);
          if (data.isEndStream()) {
            end(ctx, "the proxy ended the stream");
          }
        }
        case Http2HeadersFrame headers -> {
          if (headers.isEndStream() || !"200".contentEquals(headers.headers().status())) {
            end(ctx, "the proxy answered " + headers.headers().get("grpc-message", "nothing"));
          }
        }
        case Http2ResetFrame _ -> end(ctx, "the proxy reset the stream");
        case Http2GoAwayFrame _ -> end(ctx, "the proxy goes away");
        default -> {}
      }
    } catch (ProtocolException e) {
      end(ctx, String.valueOf(e.getMessage()));
    } finally {
      ReferenceCountUtil.release(message);
    }
  }

  private void packets(ChannelHandlerContext ctx) throws ProtocolException {
    while (partial.readableBytes() >= PREFIX) {
      int length = partial.getInt(partial.readerIndex() + 1);
      if (partial.getByte(partial.readerIndex()) != 0 || length < 0 || length > LARGEST_MESSAGE) {
        throw new ProtocolException("the proxy sent a message that cannot be read");
      }
      if (partial.readableBytes() < PREFIX + length) {
        return;
      }
      partial.skipBytes(PREFIX);
      var bytes = new byte[length];
      partial.readBytes(bytes);
      received(ctx, ProxyPacket.decoded(bytes));
    }
  }

  private void received(ChannelHandlerContext ctx, ProxyPacket packet) {
    switch (packet) {
      case ProxyPacket.DialResponse answer -> {
        if (answer.random() != random || isOpen()) {
          return;
        }
        if (!answer.error().isEmpty()) {
          fail(ctx, new EgressException("dial " + destination + ": " + answer.error()));
          return;
        }
        connection = answer.connection();
        open(ctx);
      }
      case ProxyPacket.Data data -> {
        if (isOpen()
            && leaving == null
            && data.connection() == connection
            && data.bytes().length > 0) {
          inbox.add(data.bytes());
        }
      }
      case ProxyPacket.CloseRequest _, ProxyPacket.CloseResponse _ -> ended = true;
      case ProxyPacket.CloseDial _ -> end(ctx, "the proxy gave up");
      case ProxyPacket.DialRequest _, ProxyPacket.Other _ -> {}
    }
  }

  @Override
  public void read(ChannelHandlerContext ctx) {
    wanted = true;
    ctx.read();
    if (isOpen()) {
      deliver(ctx);
    }
  }

  private void deliver(ChannelHandlerContext ctx) {
    while (!inbox.isEmpty() && (wanted || ctx.channel().config().isAutoRead())) {
      wanted = false;
      ctx.fireChannelRead(Unpooled.wrappedBuffer(inbox.remove()));
      ctx.fireChannelReadComplete();
    }
    if (!inbox.isEmpty()) {
      return;
    }
    if (ended) {
      leave(ctx);
    } else if (unacknowledged > 0) {
      ctx.writeAndFlush(new DefaultHttp2WindowUpdateFrame(unacknowledged).stream(stream));
      unacknowledged = 0;
    }
  }

  /** Passes received bytes on first. */
  private void end(ChannelHandlerContext ctx, String why) {
    if (isOpen()) {
      ended = true;
      deliver(ctx);
    } else {
      fail(ctx, new EgressException("dial " + destination + ": " + why));
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    // A read completes when bytes were passed on.
    if (leaving != null) {
      ctx.read();
    }
  }

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    if (!(message instanceof ByteBuf bytes)) {
      ctx.write(message, promise);
      return;
    }
    try {
      while (bytes.readableBytes() > PIECE) {
        send(ctx, data(bytes, PIECE), ctx.newPromise());
      }
      send(ctx, data(bytes, bytes.readableBytes()), promise);
    } finally {
      bytes.release();
    }
  }

  private ProxyPacket.Data data(ByteBuf from, int length) {
    var piece = new byte[length];
    from.readBytes(piece);
    return new ProxyPacket.Data(connection, piece);
  }

  /**
   * Waits with closing: the proxy would not see the close request if the connection ended before.
   */
  @Override
  public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
    if (leaving != null) {
      ctx.channel().closeFuture().addListener(_ -> promise.trySuccess());
      return;
    }
    leaving = promise;
    if (stream == null || ended || !ctx.channel().isActive()) {
      ctx.close(promise);
      return;
    }
    inbox.clear();
    send(
        ctx,
        isOpen() ? new ProxyPacket.CloseRequest(connection) : new ProxyPacket.CloseDial(random),
        ctx.newPromise());
    ctx.executor().schedule(() -> leave(ctx), GOODBYE_SECONDS, TimeUnit.SECONDS);
    ctx.read();
    ctx.flush();
  }

  private void leave(ChannelHandlerContext ctx) {
    ctx.close(leaving == null ? ctx.newPromise() : leaving);
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    partial.release();
  }
}
