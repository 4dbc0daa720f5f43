package dev.muster.multicluster.dns;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.CorruptedFrameException;
import io.netty.handler.codec.dns.DnsQuestion;
import io.netty.handler.codec.dns.DnsRecord;
import io.netty.handler.codec.dns.DnsRecordDecoder;
import io.netty.handler.codec.dns.DnsRecordEncoder;

/** Decodes questions and encodes prebuilt records. Thread-safe. */
final class RecordCodec implements DnsRecordDecoder, DnsRecordEncoder {
  @Override
  public DnsQuestion decodeQuestion(ByteBuf in) {
    return WireQuestion.read(in);
  }

  /** A truncated record makes the whole message malformed. */
  @Override
  @SuppressWarnings("TypeParameterUnusedInFormals")
  public <T extends DnsRecord> T decodeRecord(ByteBuf in) throws Exception {
    T record = DnsRecordDecoder.DEFAULT.decodeRecord(in);
    if (record == null) {
      throw new CorruptedFrameException("a record is cut off");
    }
    return record;
  }

  @Override
  public void encodeQuestion(DnsQuestion question, ByteBuf out) throws Exception {
    if (question instanceof WireQuestion asked) {
      asked.write(out);
    } else {
      DnsRecordEncoder.DEFAULT.encodeQuestion(question, out);
    }
  }

  @Override
  public void encodeRecord(DnsRecord record, ByteBuf out) throws Exception {
    if (record instanceof ZoneRecord ours) {
      ours.write(out);
    } else {
      DnsRecordEncoder.DEFAULT.encodeRecord(record, out);
    }
  }
}
