package dev.muster.http.http2;

import dev.muster.http.Header;
import dev.muster.http.connection.HeaderText;
import dev.muster.wire.Bytes;
import java.util.Map;

/**
 * Writes response header blocks (RFC 7541) with the static table only. It keeps no state per
 * connection and looks up no values, so clients cannot make it costly.
 */
final class Hpack {
  /** Sets the size of the dynamic table to 0; precedes the first header block of a connection. */
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

  private static byte[] written(Header header) {
    var out = new Bytes(64);
    literal(out, header.name(), header.value());
    return out.toArray();
  }

  static void status(Bytes out, int status) {
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
      out.add(0x80 | indexed);
    } else {
      integer(out, 4, STATUS);
      out.add(3);
      out.addDecimal(status);
    }
  }

  static void date(Bytes out, byte[] now) {
    integer(out, 4, DATE);
    out.add(now.length);
    out.add(now);
  }

  static void contentLength(Bytes out, long length) {
    integer(out, 4, CONTENT_LENGTH);
    int before = out.size();
    out.add(0);
    out.addDecimal(length);
    out.buffer()[before] = (byte) (out.size() - before - 1);
  }

  static void header(Bytes out, Header header) {
    var written = header.written(Hpack::written);
    if (written == null) {
      literal(out, header.name(), header.value());
    } else {
      out.add(written);
    }
  }

  private static void literal(Bytes out, String name, String value) {
    var index = NAMES.get(name);
    if (index != null) {
      integer(out, 4, index);
    } else {
      out.add(0);
      string(out, name);
    }
    string(out, value);
  }

  private static void string(Bytes out, String text) {
    var bytes = HeaderText.bytes(text);
    integer(out, 7, bytes.length);
    out.add(bytes);
  }

  /** RFC 7541, 5.1. */
  private static void integer(Bytes out, int prefixBits, int value) {
    int max = (1 << prefixBits) - 1;
    if (value < max) {
      out.add(value);
      return;
    }
    out.add(max);
    int left = value - max;
    while (left >= 0x80) {
      out.add(0x80 | (left & 0x7f));
      left >>>= 7;
    }
    out.add(left);
  }
}
