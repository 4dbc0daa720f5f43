package dev.muster.multicluster.dns;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.dns.DnsRecord;
import io.netty.handler.codec.dns.DnsRecordType;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;

/**
 * A resource record that is encoded when it is created, so that answering copies bytes. A record
 * without owner belongs to the queried name. Immutable.
 */
final class ZoneRecord implements DnsRecord {
  private static final byte[] OF_THE_QUESTION = {};
  private static final DnsRecordType HINFO = DnsRecordType.valueOf(13);
  private static final int TYPE_CLASS_TTL_LENGTH = 10;

  /** The position of the question's name in every message; see RFC 1035, 4.1.4. */
  private static final int POINTER_TO_QUESTION = 0xC00C;

  private final byte[] owner;
  private final DnsRecordType type;
  private final int dnsClass;
  private final long timeToLive;
  private final byte[] data;

  private ZoneRecord(byte[] owner, DnsRecordType type, int dnsClass, long timeToLive, byte[] data) {
    this.owner = owner;
    this.type = type;
    this.dnsClass = dnsClass;
    this.timeToLive = timeToLive;
    this.data = data;
  }

  private static ZoneRecord of(DnsRecordType type, int ttl, byte[] data) {
    return new ZoneRecord(OF_THE_QUESTION, type, CLASS_IN, ttl, data);
  }

  static ZoneRecord address(InetAddress address, int ttl) {
    var type = address instanceof Inet6Address ? DnsRecordType.AAAA : DnsRecordType.A;
    return of(type, ttl, address.getAddress());
  }

  /** An SRV record; all targets have the same priority and weight. */
  static ZoneRecord service(int port, String target, int ttl) {
    var name = DnsLabels.wire(target);
    var data = Unpooled.buffer(6 + name.length);
    data.writeShort(0).writeShort(1).writeShort(port).writeBytes(name);
    return of(DnsRecordType.SRV, ttl, bytes(data));
  }

  static ZoneRecord text(String text, int ttl) {
    var characters = text.getBytes(StandardCharsets.US_ASCII);
    var data = Unpooled.buffer(1 + characters.length);
    data.writeByte(characters.length).writeBytes(characters);
    return of(DnsRecordType.TXT, ttl, bytes(data));
  }

  static ZoneRecord nameServer(String name, int ttl) {
    return of(DnsRecordType.NS, ttl, DnsLabels.wire(name));
  }

  /** The answer to queries of type ANY (RFC 8482). */
  static ZoneRecord instead(int ttl) {
    var processor = "RFC8482".getBytes(StandardCharsets.US_ASCII);
    var data = Unpooled.buffer(2 + processor.length);
    data.writeByte(processor.length).writeBytes(processor).writeByte(0);
    return of(HINFO, ttl, bytes(data));
  }

  /** The SOA record; its time to live applies to negative answers. */
  static ZoneRecord authority(String zone, String server, int serial, int ttl) {
    var primary = DnsLabels.wire(server);
    var mailbox = DnsLabels.wire("hostmaster." + zone);
    var data = Unpooled.buffer(20 + primary.length + mailbox.length);
    data.writeBytes(primary).writeBytes(mailbox);
    data.writeInt(serial).writeInt(7200).writeInt(1800).writeInt(86400).writeInt(ttl);
    return new ZoneRecord(DnsLabels.wire(zone), DnsRecordType.SOA, CLASS_IN, ttl, bytes(data));
  }

  /** The EDNS(0) record (RFC 6891): this server's limit and the upper bits of the response code. */
  static ZoneRecord options(int payloadSize, int extendedCode, boolean dnssecOk) {
    long flags = ((long) extendedCode << 24) | (dnssecOk ? 0x8000 : 0);
    return new ZoneRecord(new byte[1], DnsRecordType.OPT, payloadSize, flags, new byte[0]);
  }

  /** The same record for a name other than the queried one. */
  ZoneRecord ownedBy(String name) {
    return new ZoneRecord(DnsLabels.wire(name), type, dnsClass, timeToLive, data);
  }

  /** Its size in a message, in bytes. */
  int size() {
    return (owner.length == 0 ? 2 : owner.length) + TYPE_CLASS_TTL_LENGTH + data.length;
  }

  void write(ByteBuf out) {
    if (owner.length == 0) {
      out.writeShort(POINTER_TO_QUESTION);
    } else {
      out.writeBytes(owner);
    }
    out.writeShort(type.intValue()).writeShort(dnsClass).writeInt((int) timeToLive);
    out.writeShort(data.length).writeBytes(data);
  }

  private static byte[] bytes(ByteBuf data) {
    var bytes = new byte[data.readableBytes()];
    data.readBytes(bytes);
    return bytes;
  }

  @Override
  public String name() {
    return ".";
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
    return timeToLive;
  }
}
