package dev.muster.server.egress;

import java.io.ByteArrayOutputStream;
import java.net.ProtocolException;
import java.util.Arrays;

/** Reads the fields of a protobuf message one after the other. One thread uses it. */
final class ProtobufFields {
  private static final int VARINT = 0;
  private static final int FIXED64 = 1;
  private static final int BYTES = 2;
  private static final int FIXED32 = 5;

  private final byte[] message;
  private int at;
  private int field;
  private boolean isBytes;
  private long number;
  private byte[] bytes = {};

  ProtobufFields(byte[] message) {
    this.message = message;
  }

  /** Reads the next field; false at the end. */
  boolean next() throws ProtocolException {
    if (at == message.length) {
      return false;
    }
    long tag = varint();
    field = (int) Math.min(tag >>> 3, Integer.MAX_VALUE);
    isBytes = (tag & 7) == BYTES;
    switch ((int) (tag & 7)) {
      case VARINT -> number = varint();
      case FIXED64 -> skip(8);
      case FIXED32 -> skip(4);
      case BYTES -> {
        long length = varint();
        if (length < 0 || length > message.length - at) {
          throw broken();
        }
        bytes = Arrays.copyOfRange(message, at, at + (int) length);
        at += (int) length;
      }
      default -> throw broken();
    }
    return true;
  }

  int field() {
    return field;
  }

  boolean isBytes() {
    return isBytes;
  }

  long number() {
    return number;
  }

  byte[] bytes() {
    return bytes;
  }

  private void skip(int count) throws ProtocolException {
    if (count > message.length - at) {
      throw broken();
    }
    number = 0;
    at += count;
  }

  private long varint() throws ProtocolException {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (at == message.length) {
        throw broken();
      }
      byte next = message[at++];
      value |= (next & 0x7fL) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw broken();
  }

  private static ProtocolException broken() {
    return new ProtocolException("the proxy sent a message that is no packet");
  }

  /** A packet of that type, with its payload in that field. */
  static byte[] packet(int type, int field, ByteArrayOutputStream payload) {
    var packet = new ByteArrayOutputStream();
    number(packet, 1, type);
    varint(packet, (long) field << 3 | BYTES);
    varint(packet, payload.size());
    packet.writeBytes(payload.toByteArray());
    return packet.toByteArray();
  }

  static void number(ByteArrayOutputStream to, int field, long number) {
    if (number != 0) {
      varint(to, (long) field << 3);
      varint(to, number);
    }
  }

  static void bytes(ByteArrayOutputStream to, int field, byte[] bytes) {
    if (bytes.length > 0) {
      varint(to, (long) field << 3 | BYTES);
      varint(to, bytes.length);
      to.writeBytes(bytes);
    }
  }

  private static void varint(ByteArrayOutputStream to, long number) {
    long left = number;
    while ((left & ~0x7fL) != 0) {
      to.write((int) ((left & 0x7f) | 0x80));
      left >>>= 7;
    }
    to.write((int) left);
  }
}
