package dev.muster.multicluster.dns;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.dns.DefaultDnsRecordEncoder;
import java.util.Locale;
import java.util.regex.Pattern;

/** What may stand in a name that is served, and how names are written. */
final class DnsLabels {
  private static final int LONGEST_NAME = 253;
  private static final Pattern LABEL = Pattern.compile("[a-z0-9_]([-a-z0-9_]{0,61}[a-z0-9])?");
  private static final Names NAMES = new Names();

  private DnsLabels() {}

  /** Whether it can be asked for: lower-case labels of at most 63 characters, 253 in total. */
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

  /** Names are compared without regard to case (RFC 4343), and without the dot of the root. */
  static String canonical(String name) {
    int end = name.endsWith(".") ? name.length() - 1 : name.length();
    return name.substring(0, end).toLowerCase(Locale.ROOT);
  }

  /** As it is written in a message, uncompressed. */
  static byte[] wire(String name) {
    var out = Unpooled.buffer(name.length() + 2);
    NAMES.encodeName(name, out);
    return ByteBufUtil.getBytes(out);
  }

  /** Reaches the codec's way to write a name. */
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
