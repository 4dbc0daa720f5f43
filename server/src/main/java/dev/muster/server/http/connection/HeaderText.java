package dev.muster.server.http.connection;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;

/** Header names and values as bytes; refuses what would break out of a header line. */
public final class HeaderText {
  private HeaderText() {}

  /** The number of bytes that {@link #write} will write. */
  public static int length(String text) {
    boolean ascii = true;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' ? c != '\t' : c == 0x7f) {
        throw new IllegalArgumentException("control character in a response header");
      }
      ascii &= c < 0x80;
    }
    return ascii ? text.length() : ByteBufUtil.utf8Bytes(text);
  }

  public static void write(ByteBuf out, String text, int length) {
    if (length == text.length()) {
      ByteBufUtil.writeAscii(out, text);
    } else {
      ByteBufUtil.writeUtf8(out, text);
    }
  }

  public static void write(ByteBuf out, String text) {
    write(out, text, length(text));
  }

  /** Decimal digits without making a string. */
  public static void writeDecimal(ByteBuf out, long value) {
    long left = value;
    int digits = decimalDigits(value);
    int end = out.writerIndex() + digits;
    for (int at = end - 1; at >= out.writerIndex(); at--) {
      out.setByte(at, '0' + (int) (left % 10));
      left /= 10;
    }
    out.writerIndex(end);
  }

  public static int decimalDigits(long value) {
    int digits = 1;
    for (long left = value / 10; left > 0; left /= 10) {
      digits++;
    }
    return digits;
  }
}
