package dev.muster.store.etcd;

import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Writes a protobuf message from its end to its beginning. So the length of a nested message is
 * known when it is written, and every byte is copied once. Write the fields in reverse order. Only
 * one thread uses it.
 */
final class ProtoWriter {
  private static final int VARINT = 0;
  private static final int LENGTH_DELIMITED = 2;

  private byte[] buffer;
  private int start;

  private ProtoWriter(int capacity) {
    buffer = new byte[capacity];
    start = capacity;
  }

  /** The message that the consumer writes. A good capacity saves growing the buffer. */
  static byte[] message(int capacity, Consumer<ProtoWriter> writing) {
    var writer = new ProtoWriter(capacity);
    writing.accept(writer);
    return writer.start == 0
        ? writer.buffer
        : Arrays.copyOfRange(writer.buffer, writer.start, writer.buffer.length);
  }

  /** Writes a number. Leaves out zero, as protobuf does. */
  void number(int field, long value) {
    if (value != 0) {
      varint(value);
      tag(field, VARINT);
    }
  }

  /** Writes a zero that must not be left out. */
  void zero(int field) {
    varint(0);
    tag(field, VARINT);
  }

  void flag(int field, boolean value) {
    number(field, value ? 1 : 0);
  }

  void bytes(int field, byte[] value) {
    reserve(value.length);
    start -= value.length;
    System.arraycopy(value, 0, buffer, start, value.length);
    varint(value.length);
    tag(field, LENGTH_DELIMITED);
  }

  void nested(int field, Consumer<ProtoWriter> writing) {
    var end = buffer.length - start;
    writing.accept(this);
    varint(buffer.length - start - end);
    tag(field, LENGTH_DELIMITED);
  }

  private void tag(int field, int type) {
    varint((long) field << 3 | type);
  }

  private void varint(long value) {
    var length = (70 - Long.numberOfLeadingZeros(value | 1)) / 7;
    reserve(length);
    start -= length;
    var rest = value;
    for (var i = start; i < start + length - 1; i++) {
      buffer[i] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    buffer[start + length - 1] = (byte) rest;
  }

  private void reserve(int bytes) {
    if (start < bytes) {
      var used = buffer.length - start;
      var larger = new byte[Math.max(buffer.length * 2, used + bytes)];
      System.arraycopy(buffer, start, larger, larger.length - used, used);
      start = larger.length - used;
      buffer = larger;
    }
  }
}
