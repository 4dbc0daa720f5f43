package dev.muster.pki;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A block of PEM (RFC 7468, RFC 1421).
 *
 * @param hasHeaders whether lines with names and values stand before the content
 */
public record PemBlock(String type, boolean hasHeaders, byte[] bytes) {
  private static final String BEGIN = "-----BEGIN ";
  private static final String END = "\n-----END ";
  private static final String DASHES = "-----";

  /**
   * The blocks of a text; what is not one is skipped. As in Go, the block that an end line closes
   * starts at the last begin line before it, so the time is linear whatever the text is.
   */
  public static List<PemBlock> all(byte[] bytes) {
    return all(new String(bytes, StandardCharsets.ISO_8859_1));
  }

  /** See {@link #all(byte[])}. */
  public static List<PemBlock> all(String text) {
    var found = new ArrayList<PemBlock>();
    int from = 0;
    for (int end = text.indexOf(END); end >= 0; end = text.indexOf(END, from)) {
      var part = text.substring(from, end + 1);
      int begin = part.lastIndexOf(BEGIN);
      from = end + END.length();
      if (begin == 0 || (begin > 0 && part.charAt(begin - 1) == '\n')) {
        var block = block(part.substring(begin + BEGIN.length()), text, from);
        if (block != null) {
          found.add(block);
        }
      }
    }
    return found;
  }

  /** How many blocks of that type begin in a text, whether or not they can be read. */
  static long begun(String text, String type) {
    return text.lines().filter(line -> line.startsWith(BEGIN + type + DASHES)).count();
  }

  boolean isPrivateKey() {
    return type.endsWith("PRIVATE KEY");
  }

  /** Whether the content is a private key that only a password opens. */
  boolean isEncrypted() {
    return type.startsWith("ENCRYPTED ") || hasHeaders;
  }

  /** The block as text, without headers. */
  public String text() {
    var lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
    return BEGIN + type + DASHES + "\n" + lines + END + type + DASHES + "\n";
  }

  /**
   * @param start from the type to the line before the end line
   * @param type where the type stands in the end line of the text
   */
  private static @Nullable PemBlock block(String start, String text, int type) {
    int line = start.indexOf('\n');
    var first = start.substring(0, line).stripTrailing();
    if (!first.endsWith(DASHES) || !text.startsWith(first, type)) {
      return null;
    }
    int at = line + 1;
    boolean headers = false;
    while (at < start.length()) {
      int next = start.indexOf('\n', at) + 1;
      int colon = start.indexOf(':', at);
      if (colon < 0 || colon >= next) {
        break;
      }
      headers = true;
      at = next;
    }
    try {
      var name = first.substring(0, first.length() - DASHES.length());
      var content = withoutSpace(start.substring(at));
      return new PemBlock(name, headers, Base64.getDecoder().decode(content));
    } catch (IllegalArgumentException notBase64) {
      return null;
    }
  }

  private static String withoutSpace(String text) {
    var kept = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      if (!Character.isWhitespace(text.charAt(i))) {
        kept.append(text.charAt(i));
      }
    }
    return kept.toString();
  }
}
