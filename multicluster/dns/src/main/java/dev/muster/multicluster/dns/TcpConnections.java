package dev.muster.multicluster.dns;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.socket.DatagramPacket;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.handler.codec.MessageToMessageDecoder;
import io.netty.handler.codec.dns.TcpDnsResponseEncoder;
import io.netty.handler.timeout.ReadTimeoutHandler;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Sets up TCP connections (RFC 7766): any number of queries in sequence, with an idle timeout and a
 * limit on connections. Event loops call it.
 */
final class TcpConnections extends ChannelInitializer<Channel> {
  /** Queries are short; longer frames are refused to save memory. */
  private static final int LONGEST_QUERY = 4096;

  private final QueryDecoder decoder;
  private final QueryHandler handler;
  private final DnsMetrics metrics;
  private final Duration idle;
  private final int most;
  private final AtomicInteger open = new AtomicInteger();

  TcpConnections(
      QueryDecoder decoder, QueryHandler handler, DnsMetrics metrics, Duration idle, int most) {
    this.decoder = decoder;
    this.handler = handler;
    this.metrics = metrics;
    this.idle = idle;
    this.most = most;
  }

  @Override
  protected void initChannel(Channel channel) {
    if (open.incrementAndGet() > most) {
      open.decrementAndGet();
      metrics.dropped(DnsMetrics.Drop.CONNECTION_LIMIT);
      channel.close();
      return;
    }
    channel.closeFuture().addListener(closed -> open.decrementAndGet());
    channel
        .pipeline()
        .addLast(new ReadTimeoutHandler(idle.toMillis(), TimeUnit.MILLISECONDS))
        .addLast(new LengthFieldBasedFrameDecoder(LONGEST_QUERY, 0, 2, 0, 2))
        .addLast(new Frames())
        .addLast(decoder)
        .addLast(new TcpDnsResponseEncoder(new RecordCodec()))
        .addLast(handler);
  }

  /** Decodes a frame like a datagram. */
  @ChannelHandler.Sharable
  private static final class Frames extends MessageToMessageDecoder<ByteBuf> {
    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf frame, List<Object> out) {
      var channel = context.channel();
      if (channel.localAddress() instanceof InetSocketAddress local
          && channel.remoteAddress() instanceof InetSocketAddress remote) {
        out.add(new DatagramPacket(frame.retain(), local, remote));
      }
    }
  }
}
