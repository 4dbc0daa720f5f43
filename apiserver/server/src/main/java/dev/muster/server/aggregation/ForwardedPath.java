package dev.muster.server.aggregation;

import java.io.ByteArrayOutputStream;
import java.util.HexFormat;

/**
 * Decodes and encodes a path again, as kube-apiserver does when it forwards. An encoded slash
 * becomes a plain one, so that the aggregated server sees the segments that were authorized here.
 */
final class ForwardedPath {
  private static final String PLAIN = "-_.~$&+,/:;=@";
  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  private ForwardedPath() {}

  /**
   * @param sent the path with one character per byte
   */
  static String of(String sent) {
    var text = new StringBuilder(sent.length() + 8);
    for (byte b : decoded(sent)) {
      char c = (char) (b & 0xff);
      boolean plain =
          (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || (c >= '0' && c <= '9')
              || PLAIN.indexOf(c) >= 0;
      if (plain) {
        text.append(c);
      } else {
        text.append('%').append(HEX.toHighHexDigit(b)).append(HEX.toLowHexDigit(b));
      }
    }
    return text.toString();
  }

  private static byte[] decoded(String sent) {
    var bytes = new ByteArrayOutputStream(sent.length());
    for (int i = 0; i < sent.length(); i++) {
      boolean escape =
          sent.charAt(i) == '%'
              && i + 2 < sent.length()
              && HexFormat.isHexDigit(sent.charAt(i + 1))
              && HexFormat.isHexDigit(sent.charAt(i + 2));
      if (escape) {
        bytes.write(HexFormat.fromHexDigits(sent, i + 1, i + 3));
        i += 2;
      } else {
        bytes.write(sent.charAt(i));
      }
    }
    return bytes.toByteArray();
  }
}
