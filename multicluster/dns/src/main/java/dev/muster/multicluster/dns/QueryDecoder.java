package dev.muster.multicluster.dns;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.DatagramPacket;
import io.netty.handler.codec.dns.DatagramDnsQueryDecoder;
import io.netty.handler.codec.dns.DnsOpCode;
import java.util.List;

/**
 * Decodes queries from datagrams and stream frames. Messages that are no queries are dropped,
 * because responses to responses could loop. All channels share it.
 */
@ChannelHandler.Sharable
final class QueryDecoder extends DatagramDnsQueryDecoder {
  private static final int HEAD = 12;
  private static final int ANSWER = 0x8000;
  private static final int RECURSION_DESIRED = 0x0100;

  private final DnsMetrics metrics;

  QueryDecoder(DnsMetrics metrics) {
    super(new RecordCodec());
    this.metrics = metrics;
  }

  @Override
  protected void decode(ChannelHandlerContext context, DatagramPacket packet, List<Object> out) {
    ByteBuf message = packet.content();
    if (message.readableBytes() < HEAD || packet.sender().getPort() == 0) {
      metrics.dropped(DnsMetrics.Drop.NOT_DNS);
      return;
    }
    int id = message.getUnsignedShort(message.readerIndex());
    int flags = message.getUnsignedShort(message.readerIndex() + 2);
    if ((flags & ANSWER) != 0) {
      metrics.dropped(DnsMetrics.Drop.NOT_A_QUERY);
      return;
    }
    try {
      super.decode(context, packet, out);
    } catch (Exception _) {
      out.add(
          new MalformedQuery(
              id,
              DnsOpCode.valueOf(flags >> 11 & 0xF),
              (flags & RECURSION_DESIRED) != 0,
              packet.sender(),
              packet.recipient()));
    }
  }
}
