package dev.muster.server.http.http2;

import dev.muster.server.http.Header;
import dev.muster.server.http.connection.HeaderText;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.Map;

/**
 * Writes response header blocks (RFC 7541) that use the static table only: no state is kept for a
 * connection, nothing is looked up by value, and nothing a client sends can make it costly.
 */
final class Hpack {
  /** Says "my dynamic table is empty and stays so"; goes before a connection's first block. */
  static final int NO_DYNAMIC_TABLE = 0x20;

  private static final int STATUS = 8;
  private static final int CONTENT_ENCODING = 26;
  private static final int CONTENT_LENGTH = 28;
  private static final int DATE = 33;
  private static final Map<String, Integer> NAMES =
      Map.ofEntries(
          Map.entry("allow", 22),
          Map.entry("cache-control", 24),
          Map.entry("content-encoding", CONTENT_ENCODING),
          Map.entry("content-length", CONTENT_LENGTH),
          Map.entry("content-type", 31),
          Map.entry("date", DATE),
          Map.entry("etag", 34),
          Map.entry("expires", 36),
          Map.entry("last-modified", 44),
          Map.entry("location", 46),
          Map.entry("retry-after", 53),
          Map.entry("server", 54),
          Map.entry("strict-transport-security", 56),
          Map.entry("vary", 59),
          Map.entry("www-authenticate", 61));

  private Hpack() {}

  /** An upper bound of what {@link #status}, {@link #date} and {@link #contentLength} write. */
  static final int FIXED_BOUND = 1 + 5 + 32 + 23;

  /** An upper bound of what {@link #header} writes. */
  static int bound(Header header) {
    var written = header.written(Hpack::written);
    return written == null ? most(header) : written.length;
  }

  private static int most(Header header) {
    return 12 + header.name().length() + 3 * header.value().length();
  }

  private static byte[] written(Header header) {
    var out = Unpooled.buffer(most(header));
    literal(out, header.name(), header.value());
    return ByteBufUtil.getBytes(out);
  }

  static void status(ByteBuf out, int status) {
    int indexed =
        switch (status) {
          case 200 -> 8;
          case 204 -> 9;
          case 206 -> 10;
          case 304 -> 11;
          case 400 -> 12;
          case 404 -> 13;
          case 500 -> 14;
          default -> 0;
        };
    if (indexed != 0) {
      out.writeByte(0x80 | indexed);
    } else {
      integer(out, 0, 4, STATUS);
      out.writeByte(3);
      HeaderText.writeDecimal(out, status);
    }
  }

  static void date(ByteBuf out, byte[] now) {
    integer(out, 0, 4, DATE);
    out.writeByte(now.length);
    out.writeBytes(now);
  }

  static void contentLength(ByteBuf out, long length) {
    integer(out, 0, 4, CONTENT_LENGTH);
    out.writeByte(HeaderText.decimalDigits(length));
    HeaderText.writeDecimal(out, length);
  }

  static void header(ByteBuf out, Header header) {
    var written = header.written(Hpack::written);
    if (written == null) {
      literal(out, header.name(), header.value());
    } else {
      out.writeBytes(written);
    }
  }

  private static void literal(ByteBuf out, String name, String value) {
    var index = NAMES.get(name);
    if (index != null) {
      integer(out, 0, 4, index);
    } else {
      out.writeByte(0);
      string(out, name);
    }
    string(out, value);
  }

  private static void string(ByteBuf out, String text) {
    int length = HeaderText.length(text);
    integer(out, 0, 7, length);
    HeaderText.write(out, text, length);
  }

  /** RFC 7541, 5.1. */
  private static void integer(ByteBuf out, int pattern, int prefixBits, int value) {
    int max = (1 << prefixBits) - 1;
    if (value < max) {
      out.writeByte(pattern | value);
      return;
    }
    out.writeByte(pattern | max);
    int left = value - max;
    while (left >= 0x80) {
      out.writeByte(0x80 | (left & 0x7f));
      left >>>= 7;
    }
    out.writeByte(left);
  }
}
