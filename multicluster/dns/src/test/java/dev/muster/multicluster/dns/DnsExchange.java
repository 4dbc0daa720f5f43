package dev.muster.multicluster.dns;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.DatagramPacket;
import io.netty.handler.codec.dns.DatagramDnsQuery;
import io.netty.handler.codec.dns.DatagramDnsQueryEncoder;
import io.netty.handler.codec.dns.DatagramDnsResponse;
import io.netty.handler.codec.dns.DatagramDnsResponseDecoder;
import io.netty.handler.codec.dns.DatagramDnsResponseEncoder;
import io.netty.handler.codec.dns.DefaultDnsQuestion;
import io.netty.handler.codec.dns.DnsOpCode;
import io.netty.handler.codec.dns.DnsQuery;
import io.netty.handler.codec.dns.DnsRecord;
import io.netty.handler.codec.dns.DnsRecordType;
import io.netty.handler.codec.dns.DnsSection;
import java.net.InetSocketAddress;
import java.util.Optional;

/** Sends messages through the handlers of a server, without a socket. */
final class DnsExchange {
  private static final InetSocketAddress CLIENT = new InetSocketAddress("192.0.2.1", 40_000);
  private static final InetSocketAddress SERVER = new InetSocketAddress("192.0.2.53", 53);

  private final DnsMetrics metrics;
  private final QueryDecoder decoder;
  private final QueryHandler handler;

  DnsExchange(ZoneIndex index, int largestDatagram) {
    metrics = new DnsMetrics(index);
    decoder = new QueryDecoder(metrics);
    handler = new QueryHandler(new Answers(index, largestDatagram), metrics, true);
  }

  DnsMetrics metrics() {
    return metrics;
  }

  /** The bytes of the answer, if there is one. */
  Optional<byte[]> send(byte[] message) {
    return send(message, CLIENT);
  }

  Optional<byte[]> send(byte[] message, InetSocketAddress client) {
    var channel =
        new EmbeddedChannel(decoder, new DatagramDnsResponseEncoder(new RecordCodec()), handler);
    var content = Unpooled.buffer().writeBytes(message);
    channel.writeInbound(new DatagramPacket(content, SERVER, client));
    assertThat(content.refCnt()).as("what was received is given back").isZero();
    Optional<byte[]> answer = Optional.empty();
    DatagramPacket sent = channel.readOutbound();
    if (sent != null) {
      answer = Optional.of(ByteBufUtil.getBytes(sent.content()));
      assertThat(sent.recipient()).isEqualTo(client);
      sent.release();
    }
    assertThat(channel.<Object>readOutbound()).as("one answer at the most").isNull();
    channel.checkException();
    channel.finishAndReleaseAll();
    return answer;
  }

  static DatagramDnsQuery query(String name, DnsRecordType type) {
    return query(new DefaultDnsQuestion(name, type));
  }

  static DatagramDnsQuery query(DnsRecord... questions) {
    var query = new DatagramDnsQuery(CLIENT, SERVER, 4711, DnsOpCode.QUERY);
    for (var question : questions) {
      query.addRecord(DnsSection.QUESTION, question);
    }
    return query;
  }

  static byte[] bytes(DnsQuery query) {
    var channel = new EmbeddedChannel(new DatagramDnsQueryEncoder(new RecordCodec()));
    channel.writeOutbound(query);
    DatagramPacket packet = channel.readOutbound();
    try {
      return ByteBufUtil.getBytes(packet.content());
    } finally {
      packet.release();
      channel.finishAndReleaseAll();
    }
  }

  /** Reads an answer by the codec's own means; what it cannot read fails the test. */
  static DatagramDnsResponse read(byte[] answer) {
    var channel = new EmbeddedChannel(new DatagramDnsResponseDecoder());
    ByteBuf content = Unpooled.copiedBuffer(answer);
    channel.writeInbound(new DatagramPacket(content, CLIENT, SERVER));
    DatagramDnsResponse response = channel.readInbound();
    channel.finishAndReleaseAll();
    return response;
  }

  DatagramDnsResponse ask(DnsQuery query) {
    return read(send(bytes(query)).orElseThrow());
  }

  DatagramDnsResponse ask(String name, DnsRecordType type) {
    return ask(query(name, type));
  }
}
