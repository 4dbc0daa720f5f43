package dev.muster.schema.protobuf;

import dev.muster.wire.DecodeException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Decodes protobuf primitives from untrusted bytes. Only one thread uses it. */
final class ProtobufBytes {
  static final int VARINT = 0;
  static final int FIXED64 = 1;
  static final int LENGTH = 2;
  static final int FIXED32 = 5;

  private final byte[] bytes;
  private int at;

  /** No message may end after this position. */
  private final int limit;

  ProtobufBytes(byte[] bytes, int from, int to) {
    this.bytes = bytes;
    this.at = from;
    this.limit = to;
  }

  int at() {
    return at;
  }

  /** Checks that a message ended at its declared end. */
  void endAt(int end) {
    if (at != end) {
      throw new DecodeException("unexpected EOF");
    }
  }

  /** The number of the next field, shifted by three bits, and its wire type. */
  int tag() {
    long tag = varint();
    int number = (int) (tag >>> 3);
    if (number <= 0 || tag >>> 32 != 0) {
      throw new DecodeException("proto: illegal tag " + number + " (wire type " + (tag & 7) + ")");
    }
    return (int) tag;
  }

  long varint() {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (at >= limit) {
        throw new DecodeException("unexpected EOF");
      }
      byte b = bytes[at++];
      value |= (long) (b & 0x7f) << shift;
      if (b >= 0) {
        return value;
      }
    }
    throw new DecodeException("proto: integer overflow");
  }

  long varint(int tag) {
    expect(tag, VARINT);
    return varint();
  }

  long fixed64(int tag) {
    expect(tag, FIXED64);
    if (limit - at < 8) {
      throw new DecodeException("unexpected EOF");
    }
    long value = 0;
    for (int i = 0; i < 8; i++) {
      value |= (bytes[at++] & 0xffL) << (8 * i);
    }
    return value;
  }

  /** The end of the part that starts here. */
  int length(int tag) {
    expect(tag, LENGTH);
    long length = varint();
    if (length < 0) {
      throw new DecodeException("proto: negative length found during unmarshaling");
    }
    if (length > limit - at) {
      throw new DecodeException("unexpected EOF");
    }
    return at + (int) length;
  }

  String text(int tag) {
    int end = length(tag);
    var text = new String(bytes, at, end - at, StandardCharsets.UTF_8);
    at = end;
    return text;
  }

  byte[] bytes(int tag) {
    int end = length(tag);
    var part = Arrays.copyOfRange(bytes, at, end);
    at = end;
    return part;
  }

  private static void expect(int tag, int wireType) {
    if ((tag & 7) != wireType) {
      throw new DecodeException(
          "proto: wrong wireType = " + (tag & 7) + " for field " + (tag >>> 3));
    }
  }

  /** Moves to the end of a part, as {@link #length} returned it. */
  void skipTo(int end) {
    at = end;
  }

  void skip(int tag) {
    switch (tag & 7) {
      case VARINT -> varint();
      case FIXED64 -> skipBytes(8);
      case LENGTH -> skipTo(length(tag));
      case FIXED32 -> skipBytes(4);
      default -> throw new DecodeException("proto: illegal wireType " + (tag & 7));
    }
  }

  private void skipBytes(int count) {
    if (limit - at < count) {
      throw new DecodeException("unexpected EOF");
    }
    at += count;
  }
}
