package dev.muster.server.nodes;

import dev.muster.server.proxy.BackendCall;
import dev.muster.server.proxy.BackendException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.spdy.DefaultSpdyDataFrame;
import io.netty.handler.codec.spdy.DefaultSpdyPingFrame;
import io.netty.handler.codec.spdy.DefaultSpdySynStreamFrame;
import io.netty.handler.codec.spdy.SpdyDataFrame;
import io.netty.handler.codec.spdy.SpdyFrameCodec;
import io.netty.handler.codec.spdy.SpdyGoAwayFrame;
import io.netty.handler.codec.spdy.SpdyPingFrame;
import io.netty.handler.codec.spdy.SpdyRstStreamFrame;
import io.netty.handler.codec.spdy.SpdySynReplyFrame;
import io.netty.handler.codec.spdy.SpdyVersion;
import io.netty.util.ReferenceCountUtil;
import org.jspecify.annotations.Nullable;

/**
 * The streams of one command on a SPDY/3.1 connection to a kubelet. One thread writes and another
 * reads; both block.
 */
final class SpdyStreams implements AutoCloseable {
  /** The protocol that the kubelet must agree to. */
  static final String PROTOCOL = "SPDY/3.1";

  /**
   * A frame of one stream.
   *
   * @param last whether it is the last one of the stream
   */
  record Arrived(int stream, byte[] bytes, boolean last) {}

  private final BackendCall call;
  private final EmbeddedChannel out = codec();
  private final EmbeddedChannel in = codec();
  private int next = 1;

  SpdyStreams(BackendCall call) {
    this.call = call;
  }

  private static EmbeddedChannel codec() {
    return new EmbeddedChannel(new SpdyFrameCodec(SpdyVersion.SPDY_3_1));
  }

  /** Opens a stream of that type, and returns its number. */
  synchronized int open(String type) throws BackendException {
    int stream = next;
    next += 2;
    var frame = new DefaultSpdySynStreamFrame(stream, 0, (byte) 0);
    frame.headers().add("streamtype", type);
    send(frame);
    return stream;
  }

  /** Sends data on a stream. */
  synchronized void write(int stream, byte[] bytes, int from, boolean last)
      throws BackendException {
    var frame =
        new DefaultSpdyDataFrame(stream, Unpooled.wrappedBuffer(bytes, from, bytes.length - from));
    frame.setLast(last);
    send(frame);
  }

  private void send(Object frame) throws BackendException {
    out.writeOutbound(frame);
    CompositeByteBuf all = Unpooled.compositeBuffer();
    for (ByteBuf part = out.readOutbound(); part != null; part = out.readOutbound()) {
      all.addComponent(true, part);
    }
    var bytes = ByteBufUtil.getBytes(all);
    all.release();
    call.write(bytes);
  }

  /** Waits for the next frame of any stream; null when the kubelet has closed the connection. */
  @Nullable Arrived read() throws BackendException {
    while (true) {
      Object frame = in.readInbound();
      if (frame == null) {
        var bytes = call.next();
        if (bytes == null) {
          return null;
        }
        decode(bytes);
        continue;
      }
      try {
        switch (frame) {
          case SpdyDataFrame data -> {
            return new Arrived(
                data.streamId(), ByteBufUtil.getBytes(data.content()), data.isLast());
          }
          case SpdySynReplyFrame reply when reply.isLast() -> {
            return new Arrived(reply.streamId(), new byte[0], true);
          }
          case SpdyRstStreamFrame reset -> {
            return new Arrived(reset.streamId(), new byte[0], true);
          }
          case SpdyPingFrame ping -> pong(ping.id());
          case SpdyGoAwayFrame ignored -> {
            return null;
          }
          default -> {
            // Ignores windows and settings: kubelets do not observe them.
          }
        }
      } finally {
        ReferenceCountUtil.release(frame);
      }
    }
  }

  /** The codec throws undeclared exceptions. */
  private void decode(byte[] bytes) throws BackendException {
    try {
      in.writeInbound(Unpooled.wrappedBuffer(bytes));
    } catch (Exception e) {
      throw new BackendException("malformed SPDY frame: " + e.getMessage());
    }
  }

  private synchronized void pong(int id) throws BackendException {
    send(new DefaultSpdyPingFrame(id));
  }

  @Override
  public void close() {
    out.finishAndReleaseAll();
    in.finishAndReleaseAll();
  }
}
