package dev.muster.multicluster.dns;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.CorruptedFrameException;
import io.netty.handler.codec.dns.DefaultDnsRecordDecoder;
import io.netty.handler.codec.dns.DnsQuestion;
import io.netty.handler.codec.dns.DnsRecordType;

/**
 * A DNS question with its original bytes. The response repeats them, because clients compare them
 * including upper case. Immutable.
 */
final class WireQuestion implements DnsQuestion {
  private static final int LONGEST_NAME = 255;
  private static final int LONGEST_LABEL = 63;

  private final String name;
  private final DnsRecordType type;
  private final int dnsClass;
  private final byte[] bytes;
  private final boolean plain;

  private WireQuestion(String name, DnsRecordType type, int dnsClass, byte[] bytes, boolean plain) {
    this.name = name;
    this.type = type;
    this.dnsClass = dnsClass;
    this.bytes = bytes;
    this.plain = plain;
  }

  /**
   * @throws CorruptedFrameException if the bytes are no question
   */
  static WireQuestion read(ByteBuf in) {
    int start = in.readerIndex();
    var name = DefaultDnsRecordDecoder.decodeName(in);
    int nameLength = in.readerIndex() - start;
    if (nameLength > LONGEST_NAME || in.readableBytes() < 4) {
      throw new CorruptedFrameException("no question");
    }
    boolean plain = checkLabels(in, start, nameLength);
    var type = DnsRecordType.valueOf(in.readUnsignedShort());
    int dnsClass = in.readUnsignedShort();
    var bytes = ByteBufUtil.getBytes(in, start, nameLength + 4);
    return new WireQuestion(name, type, dnsClass, bytes, plain);
  }

  /**
   * Whether the decoded text represents the name exactly: a label may contain any byte, including
   * dots. The first name in a message has no compression pointers.
   */
  private static boolean checkLabels(ByteBuf in, int start, int length) {
    boolean plain = true;
    int at = start;
    int end = start + length - 1;
    while (at < end) {
      int label = in.getUnsignedByte(at++);
      if (label == 0 || label > LONGEST_LABEL || at + label > end) {
        throw new CorruptedFrameException("no label");
      }
      for (int last = at + label; at < last; at++) {
        int character = in.getByte(at);
        plain &= character > ' ' && character != '.';
      }
    }
    if (in.getByte(end) != 0) {
      throw new CorruptedFrameException("a name without an end");
    }
    return plain;
  }

  /** Whether the name has only visible characters, as all names in the zone do. */
  boolean plain() {
    return plain;
  }

  int size() {
    return bytes.length;
  }

  void write(ByteBuf out) {
    out.writeBytes(bytes);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public DnsRecordType type() {
    return type;
  }

  @Override
  public int dnsClass() {
    return dnsClass;
  }

  @Override
  public long timeToLive() {
    return 0;
  }
}
