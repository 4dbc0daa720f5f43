package dev.muster.multicluster.dns;

import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.dns.DatagramDnsQuery;
import io.netty.handler.codec.dns.DatagramDnsResponse;
import io.netty.handler.codec.dns.DnsResponseCode;
import io.netty.util.ReferenceCountUtil;
import java.net.InetSocketAddress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers queries on the event loops; it never blocks. All channels of one transport share it. */
@ChannelHandler.Sharable
final class QueryHandler extends ChannelInboundHandlerAdapter {
  private static final Logger log = LoggerFactory.getLogger(QueryHandler.class);
  private static final int LONGEST_FRAME = 65_535;

  private final Answers answers;
  private final DnsMetrics metrics;
  private final boolean datagrams;

  /**
   * @param datagrams whether the channels carry datagrams instead of streams
   */
  QueryHandler(Answers answers, DnsMetrics metrics, boolean datagrams) {
    this.answers = answers;
    this.metrics = metrics;
    this.datagrams = datagrams;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    try {
      switch (message) {
        case DatagramDnsQuery query -> {
          var response = response(query.id(), query.sender(), query.recipient());
          int code = answers.answer(query, response, datagrams, LONGEST_FRAME);
          send(context, response, code);
        }
        case MalformedQuery query -> {
          var response = response(query.id(), query.sender(), query.recipient());
          response.setOpCode(query.operation()).setRecursionDesired(query.recursionDesired());
          response.setCode(DnsResponseCode.FORMERR);
          send(context, response, DnsResponseCode.FORMERR.intValue());
        }
        default -> metrics.dropped(DnsMetrics.Drop.NOT_DNS);
      }
    } finally {
      ReferenceCountUtil.release(message);
    }
  }

  /** The response's sender is the address that the query was sent to. */
  private static DatagramDnsResponse response(
      int id, InetSocketAddress client, InetSocketAddress server) {
    return new DatagramDnsResponse(server, client, id);
  }

  private void send(ChannelHandlerContext context, DatagramDnsResponse response, int code) {
    metrics.answered(datagrams, code, response.isTruncated());
    context.write(response, context.voidPromise());
  }

  /** Sends the responses to all queries that were read together. */
  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    context.flush();
  }

  /** Stops reading from a client that does not read its responses. */
  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    if (!datagrams) {
      context.channel().config().setAutoRead(context.channel().isWritable());
    }
    context.fireChannelWritabilityChanged();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    metrics.failed();
    log.debug("{}: {}", context.channel(), cause.toString());
    if (!datagrams) {
      context.close();
    }
  }
}
