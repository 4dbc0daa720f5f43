package dev.muster.multicluster.dns;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.dns.DefaultDnsRecordEncoder;
import java.util.Locale;
import java.util.regex.Pattern;

/** Validates, normalizes and encodes DNS names. */
final class DnsLabels {
  private static final int LONGEST_NAME = 253;
  private static final Pattern LABEL = Pattern.compile("[a-z0-9_]([-a-z0-9_]{0,61}[a-z0-9])?");
  private static final Names NAMES = new Names();

  private DnsLabels() {}

  /** Whether the name can be served: lower-case labels of at most 63 characters, 253 in total. */
  static boolean servable(String name) {
    if (name.isEmpty() || name.length() > LONGEST_NAME) {
      return false;
    }
    for (var label : name.split("\\.", -1)) {
      if (!LABEL.matcher(label).matches()) {
        return false;
      }
    }
    return true;
  }

  /** Lower case (names are case-insensitive, RFC 4343) and without the final dot. */
  static String canonical(String name) {
    int end = name.endsWith(".") ? name.length() - 1 : name.length();
    return name.substring(0, end).toLowerCase(Locale.ROOT);
  }

  /** The uncompressed encoding in a message. */
  static byte[] wire(String name) {
    var out = Unpooled.buffer(name.length() + 2);
    NAMES.encodeName(name, out);
    return ByteBufUtil.getBytes(out);
  }

  /** Gives access to the codec's encoding of names. */
  private static final class Names extends DefaultDnsRecordEncoder {
    @Override
    protected void encodeName(String name, ByteBuf out) {
      try {
        super.encodeName(name, out);
      } catch (Exception e) {
        throw new IllegalArgumentException("no name in DNS: " + name, e);
      }
    }
  }
}
