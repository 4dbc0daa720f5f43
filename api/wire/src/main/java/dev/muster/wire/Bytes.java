package dev.muster.wire;

import java.util.Arrays;

/** A growing byte buffer, reusable after {@link #clear}. Only one thread uses it. */
public final class Bytes {
  private byte[] buffer;
  private int size;

  public Bytes(int capacity) {
    buffer = new byte[capacity];
  }

  /** The buffer with space for that many more bytes; valid until the next call that adds bytes. */
  public byte[] room(int more) {
    if (buffer.length - size < more) {
      buffer = Arrays.copyOf(buffer, Math.max(buffer.length * 2, size + more));
    }
    return buffer;
  }

  public int size() {
    return size;
  }

  /** Sets the number of used bytes. */
  public void size(int used) {
    size = used;
  }

  public void clear() {
    size = 0;
  }

  public void add(int b) {
    room(1)[size++] = (byte) b;
  }

  public void add(byte[] bytes, int offset, int length) {
    System.arraycopy(bytes, offset, room(length), size, length);
    size += length;
  }

  public void add(byte[] bytes) {
    add(bytes, 0, bytes.length);
  }

  /** Adds a text that the caller knows to be ASCII. */
  public void addAscii(String text) {
    int length = text.length();
    var to = room(length);
    for (int i = 0; i < length; i++) {
      to[size++] = (byte) text.charAt(i);
    }
  }

  public void addDecimal(long value) {
    if (value < 0) {
      addAscii(Long.toString(value));
      return;
    }
    int digits = 1;
    for (long left = value / 10; left > 0; left /= 10) {
      digits++;
    }
    var to = room(digits);
    size += digits;
    long left = value;
    for (int at = size - 1; at >= size - digits; at--) {
      to[at] = (byte) ('0' + left % 10);
      left /= 10;
    }
  }

  public void addUtf8(int codePoint) {
    var to = room(4);
    if (codePoint < 0x80) {
      to[size++] = (byte) codePoint;
    } else if (codePoint < 0x800) {
      to[size++] = (byte) (0xc0 | (codePoint >> 6));
      to[size++] = (byte) (0x80 | (codePoint & 0x3f));
    } else if (codePoint < 0x10000) {
      to[size++] = (byte) (0xe0 | (codePoint >> 12));
      to[size++] = (byte) (0x80 | ((codePoint >> 6) & 0x3f));
      to[size++] = (byte) (0x80 | (codePoint & 0x3f));
    } else {
      to[size++] = (byte) (0xf0 | (codePoint >> 18));
      to[size++] = (byte) (0x80 | ((codePoint >> 12) & 0x3f));
      to[size++] = (byte) (0x80 | ((codePoint >> 6) & 0x3f));
      to[size++] = (byte) (0x80 | (codePoint & 0x3f));
    }
  }

  public byte[] toArray() {
    return Arrays.copyOf(buffer, size);
  }

  /** The buffer itself, of which the first {@link #size} bytes are used. */
  public byte[] buffer() {
    return buffer;
  }
}
