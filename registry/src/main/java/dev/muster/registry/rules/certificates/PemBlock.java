package dev.muster.registry.rules.certificates;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A block of PEM (RFC 7468, RFC 1421).
 *
 * @param hasHeaders whether lines with names and values stand before the content
 */
record PemBlock(String type, boolean hasHeaders, byte[] bytes) {
  private static final Pattern BLOCK =
      Pattern.compile(
          "(?:^|(?<=\\n))-----BEGIN ([^\\n]*?)-----[ \\t]*\\r?\\n(.*?)-----END \\1-----",
          Pattern.DOTALL);
  private static final Pattern HEADERS = Pattern.compile("(?:[^\\n]*:[^\\n]*\\n)+");

  /** The blocks of a text; what is not one is skipped. */
  static List<PemBlock> all(byte[] text) {
    var found = new ArrayList<PemBlock>();
    var matcher = BLOCK.matcher(new String(text, StandardCharsets.ISO_8859_1));
    while (matcher.find()) {
      var body = matcher.group(2);
      var headers = HEADERS.matcher(body);
      boolean hasHeaders = headers.lookingAt();
      var base64 = (hasHeaders ? body.substring(headers.end()) : body).replaceAll("\\s", "");
      try {
        found.add(new PemBlock(matcher.group(1), hasHeaders, Base64.getDecoder().decode(base64)));
      } catch (IllegalArgumentException notBase64) {
        continue;
      }
    }
    return found;
  }
}
