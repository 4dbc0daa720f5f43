package dev.muster.schema.protobuf;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A byte buffer that is written from the last byte to the first, so that the length of a part is
 * known when it is written before the part. Only one thread uses it.
 */
final class BackwardBytes {
  private byte[] buffer;

  /** The start of the written bytes. */
  private int at;

  BackwardBytes(int capacity) {
    buffer = new byte[capacity];
    at = capacity;
  }

  private void room(int more) {
    if (at < more) {
      int used = buffer.length - at;
      var larger = new byte[Math.max(buffer.length * 2, used + more)];
      System.arraycopy(buffer, at, larger, larger.length - used, used);
      at = larger.length - used;
      buffer = larger;
    }
  }

  /** The number of written bytes. */
  int size() {
    return buffer.length - at;
  }

  byte[] toArray() {
    return Arrays.copyOfRange(buffer, at, buffer.length);
  }

  void bytes(byte[] bytes) {
    room(bytes.length);
    at -= bytes.length;
    System.arraycopy(bytes, 0, buffer, at, bytes.length);
  }

  void octet(int value) {
    room(1);
    buffer[--at] = (byte) value;
  }

  static int varintLength(long value) {
    return Math.max(1, (70 - Long.numberOfLeadingZeros(value)) / 7);
  }

  void varint(long value) {
    room(10);
    int length = varintLength(value);
    at -= length;
    long rest = value;
    for (int i = 0; i < length - 1; i++) {
      buffer[at + i] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    buffer[at + length - 1] = (byte) rest;
  }

  void fixed64(long value) {
    room(8);
    at -= 8;
    for (int i = 0; i < 8; i++) {
      buffer[at + i] = (byte) (value >>> (8 * i));
    }
  }

  /** Writes a text, preceded by its length. */
  void text(String text) {
    int length = text.length();
    room(length);
    int start = at - length;
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      if (c >= 128) {
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        bytes(bytes);
        varint(bytes.length);
        return;
      }
      buffer[start + i] = (byte) c;
    }
    at = start;
    varint(length);
  }
}
